package org.sluice.ib.queue;

import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * What a queue pair takes with a work request, and where packets are put together that go so: the library has copied
 * them when a post returns.
 *
 * <p>A driver may say that it takes more than it does; it then refuses such a post with the error that means a full
 * queue, so that nothing would tell when to try again. That ends inline sends of this connection.
 *
 * <p><i>Thread</i>: the peer's send lock; {@link #post} under the progress lock: it stores one word there, and whoever
 * loads an old one is refused again. <i>Owns</i>: the memory. <i>Proof</i>: {@code InlineTest}, {@code SendQueueTest}.
 */
public final class InlineRoom implements AutoCloseable {
    /** What is written to a peer's ring is longer than its packet by less. */
    private static final int MOST_MORE = 2 * Long.BYTES;

    private volatile int bytes;
    private long memory;
    private boolean wasRefused;

    /** Of a new queue pair. */
    void of(int newBytes) {
        bytes = newBytes;
        wasRefused = false;
        Memory.free(memory);
        memory = Memory.allocate(newBytes + MOST_MORE);
    }

    /** @param more what may have to be added to a packet of so many bytes */
    boolean takes(int packetBytes, int more) {
        return packetBytes + more <= bytes;
    }

    long memory() {
        return memory;
    }

    /**
     * Posts a work request for memory that is registered, and that has room kept in the queue; its bytes go with it
     * where they fit.
     *
     * @return 0, or -errno
     */
    public int post(VerbsCalls verbs, long queuePair, WorkRequest request, int requestBytes, Counters counters) {
        int flag = requestBytes <= bytes ? VerbsLayout.SEND_INLINE : 0;
        request.inline(flag);
        counters.increment(Counter.WORK_REQUESTS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        int result = request.post(verbs, queuePair);
        if (flag != 0 && result == -Errno.ENOMEM) {
            bytes = 0;
            request.inline(0);
            counters.increment(Counter.NATIVE_CROSSINGS);
            return request.post(verbs, queuePair);
        }
        counters.add(Counter.INLINE_SENDS, flag == 0 ? 0 : 1);
        return result;
    }

    void refused() {
        bytes = 0;
        wasRefused = true;
    }

    /** Whether that happened since this was asked for the last time: what was refused may go from a slot. */
    boolean takeRefused() {
        boolean was = wasRefused;
        wasRefused = false;
        return was;
    }

    @Override
    public void close() {
        Memory.free(memory);
        memory = 0;
    }
}
