package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.device.memory.Memory;

/** Slots of persistent routes as a test wants them: writes go nowhere, and end when it says so. */
final class ScriptedSlots implements RemoteSlots {
    /** One write that was begun. */
    record Write(int peer, long offset, long bytes, Object ticket) {}

    static final long KEY = 88;

    /** Memory that is lent, by its address. */
    final List<Long> lent = new ArrayList<>();

    final List<Write> writes = new ArrayList<>();
    /** Memory that may be read, once for each write out of the program's memory, and once for copies of arrays. */
    private final List<Object> sources;
    /** How many writes may be on the way. */
    int depth = 4;
    /** Longest write. */
    int pieceBytes = 1 << 20;
    /** The connection fails between a look and a write. */
    boolean isFailing;
    /** The adapter takes no more memory. */
    boolean isFull;
    /** The adapter takes no memory to write from. */
    boolean isUnable;

    ScriptedSlots(List<Object> sources) {
        this.sources = sources;
    }

    @Override
    public boolean lend(int peer, long bytes, RemoteReference into) {
        if (isFull) {
            return false;
        }
        long address = Memory.allocate(bytes);
        into.set(KEY, address, null);
        into.lease = address;
        lent.add(address);
        return true;
    }

    @Override
    public void takeBack(int peer, Object lease) {
        if (!lent.remove(lease)) {
            throw new IllegalStateException("taken back twice: " + lease);
        }
        Memory.free((Long) lease);
    }

    @Override
    public boolean isLent(RemoteReference to, long bytes) {
        return to.key == KEY && to.address > 0;
    }

    @Override
    public int pieceBytes() {
        return pieceBytes;
    }

    @Override
    public boolean hasRoom(int peer) {
        return writes.size() < depth;
    }

    @Override
    public boolean source(Object owner, long address, long bytes, RemoteReference into) {
        into.clear();
        if (isUnable || owner == null) {
            return false;
        }
        into.lease = new Object();
        sources.add(into.lease);
        return true;
    }

    @Override
    public boolean write(
            int peer, RemoteReference from, long address, long bytes, RemoteReference to, long offset, Object ticket) {
        if (isFailing) {
            return false;
        }
        if (!sources.contains(from.lease)) {
            throw new IllegalStateException("out of memory that nobody made ready");
        }
        writes.add(new Write(peer, offset, bytes, ticket));
        return true;
    }
}
