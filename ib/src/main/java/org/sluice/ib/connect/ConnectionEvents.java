package org.sluice.ib.connect;

import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Takes the connection manager's events and hands them to the {@link Connector}. The helper's thread. */
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
    public int drain(Connections connections, Connector connector) {
        int done = 0;
        while (true) {
            // In one go: taking an event may move its queue pair, and until it is looked at nobody may give up what it
            // concerns.
            synchronized (connections) {
                int result = verbs.connectionEvent(channel, event);
                if (result <= 0) {
                    return result < 0 ? result : done;
                }
                done++;
                connector.onEvent(
                        Memory.getInt(event + VerbsLayout.EVENT_KIND),
                        Memory.getInt(event + VerbsLayout.EVENT_STATUS),
                        Memory.getLong(event + VerbsLayout.EVENT_ID),
                        privateData());
            }
        }
    }

    private byte[] privateData() {
        byte[] data = new byte
                [Math.max(0, Math.min(Memory.getInt(event + VerbsLayout.EVENT_PRIVATE_BYTES), MOST_PRIVATE_BYTES))];
        Memory.copy(null, event + VerbsLayout.EVENT_PRIVATE_DATA, data, Memory.arrayOffset(data), data.length);
        return data;
    }

    @Override
    public void close() {
        Memory.free(event);
    }
}
