package org.sluice.ib.connect;

import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Takes the connection manager's events and hands them to the {@link Connector}. Under the progress lock. */
public final class ConnectionEvents implements AutoCloseable {
    private static final int MOST_PRIVATE_BYTES = VerbsLayout.EVENT_BYTES - VerbsLayout.EVENT_PRIVATE_DATA;

    private final VerbsCalls verbs;
    private final long channel;
    private final long event = Memory.allocate(VerbsLayout.EVENT_BYTES);

    public ConnectionEvents(VerbsCalls verbs, long channel) {
        this.verbs = verbs;
        this.channel = channel;
        Memory.setZero(event, VerbsLayout.EVENT_BYTES);
    }

    /** @return how many there were, or -errno of the call that failed */
    public int drain(Connector connector) {
        int done = 0;
        while (true) {
            int result = verbs.connectionEvent(channel, event);
            if (result <= 0) {
                return result < 0 ? result : done;
            }
            done++;
            byte[] data = new byte[Math.max(0, Math.min(Memory.getInt(event + VerbsLayout.EVENT_PRIVATE_BYTES), MOST_PRIVATE_BYTES))];
            Memory.copy(null, event + VerbsLayout.EVENT_PRIVATE_DATA, data, Memory.arrayOffset(data), data.length);
            connector.onEvent(Memory.getInt(event + VerbsLayout.EVENT_KIND), Memory.getInt(event + VerbsLayout.EVENT_STATUS),
                    Memory.getLong(event + VerbsLayout.EVENT_ID), data);
        }
    }

    @Override
    public void close() {
        Memory.free(event);
    }
}
