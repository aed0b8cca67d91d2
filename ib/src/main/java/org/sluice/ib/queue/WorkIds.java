package org.sluice.ib.queue;

/**
 * What a work request's id says, so that its completion can be told apart even where it failed and the adapter says
 * nothing else.
 *
 * <pre>
 *   bits 60 to 62  what it was: SEND, CREDIT, KEEP_ALIVE, RECEIVE, READ, WRITE, LANDING
 *   bits 32 to 59  the peer's rank
 *   bits  0 to 31  low half of the number of the send, or of the last one before it, or the receive slot
 * </pre>
 */
public final class WorkIds {
    public static final int SEND = 0;
    public static final int CREDIT = 1;
    public static final int KEEP_ALIVE = 2;
    public static final int RECEIVE = 3;
    public static final int READ = 4;
    public static final int WRITE = 5;
    public static final int LANDING = 7;

    /** Ranks from here on have no id. */
    public static final int RANK_LIMIT = 1 << 28;

    private static final int WHAT_SHIFT = 60;

    private WorkIds() {}

    public static long of(int what, int peer, int number) {
        return (long) what << WHAT_SHIFT | (long) peer << Integer.SIZE | number & 0xFFFFFFFFL;
    }

    public static int what(long id) {
        return (int) (id >>> WHAT_SHIFT);
    }

    public static int peer(long id) {
        return (int) (id >>> Integer.SIZE) & RANK_LIMIT - 1;
    }

    public static int number(long id) {
        return (int) id;
    }
}
