package org.sluice.launch;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/** The bootstrap of a job of one rank: nobody to wait for, nobody to lose. */
final class MemoryBootstrap implements Bootstrap {
    private final Map<String, byte[]> put = new HashMap<>();
    private final Map<String, byte[]> visible = new HashMap<>();

    @Override
    public synchronized void put(String key, byte[] value) {
        put.put(Objects.requireNonNull(key, "key"), value.clone());
    }

    @Override
    public synchronized void fence(long timeoutMs) {
        visible.putAll(put);
    }

    @Override
    public synchronized byte[] get(int rank, String key) {
        Objects.checkIndex(rank, 1);
        byte[] value = visible.get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public void onRankLost(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
    }

    @Override
    public void close() {
        // There is nobody to say goodbye to.
    }
}
