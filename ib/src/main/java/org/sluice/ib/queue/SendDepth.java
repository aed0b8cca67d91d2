package org.sluice.ib.queue;

/**
 * How many send work requests a queue pair has beside its window, for what is not a message. Drivers round a send queue
 * up to a power of two, and SoftRoCE's leaves one place of it empty. A window of up to 8 is there to save memory, so
 * few stand beside it: 8 end in 16 places, and two more than there are would cost every connection twice the queue.
 */
public final class SendDepth {
    /** Up to this window a connection is to be small rather than fast. */
    private static final int SMALL_WINDOW = 8;
    /** What asks for credit or gives it back, and a sign of life. */
    private static final int RETURNS = 1;

    private static final int SIGNS_OF_LIFE = 1;

    private SendDepth() {}

    /**
     * Those of the window that are kept for messages that leave together: else these would wait until what went by
     * itself was acknowledged.
     */
    static int together(int window) {
        return window / 4;
    }

    /** Control packets that may go where the window is used up. */
    static int control(int window) {
        return window <= SMALL_WINDOW ? 1 : 2;
    }

    /** Packets that only carry credit. */
    static int credits(int window) {
        return window <= SMALL_WINDOW ? 1 : 2;
    }

    /**
     * RDMA reads, and as many RDMA writes: enough of 64 KB for all the bytes that may be on the way
     * ({@link TransferQueue}).
     */
    public static int transfers(int window) {
        return window <= SMALL_WINDOW ? 1 : 16;
    }

    /** All that a queue pair takes. */
    public static int of(int window, int reads, int writes) {
        return window + control(window) + credits(window) + RETURNS + SIGNS_OF_LIFE + reads + writes;
    }
}
