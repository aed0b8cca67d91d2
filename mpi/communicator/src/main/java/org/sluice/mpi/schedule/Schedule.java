package org.sluice.mpi.schedule;

import java.util.Arrays;

/**
 * What one rank does in a collective: rounds, each of messages that go at the same time and of what is computed when
 * they are there. Places are in bytes from the beginning of a buffer, of which the first two are the caller's.
 *
 * <p>Messages of two ranks in one collective are matched in the order in which both schedules have them. Used again and
 * again: to write it allocates nothing once it was as long before. <i>Thread</i>: one.
 */
public final class Schedule {
    /** The caller's own contribution. */
    public static final int SEND = 0;
    /** Where the caller's result goes. */
    public static final int RECEIVE = 1;
    /** The first of {@link #TEMPS} buffers that exist for as long as the schedule runs. */
    public static final int TEMP = 2;

    public static final int TEMPS = 2;
    static final int BUFFERS = TEMP + TEMPS;

    static final byte SENDS = 0;
    static final byte RECEIVES = 1;
    static final byte COPIES = 2;
    static final byte REDUCES = 3;
    static final byte ENDS_ROUND = 4;

    private static final int FEW = 32;

    byte[] kinds = new byte[FEW];
    int[] peers = new int[FEW];
    /** Two buffers, four bits each: where it comes from, and where it goes. */
    byte[] buffers = new byte[FEW];

    long[] from = new long[FEW];
    long[] to = new long[FEW];
    long[] bytes = new long[FEW];
    int steps;

    private final long[] tempBytes = new long[TEMPS];
    private boolean isInRound;

    /** Forgets all steps. */
    public void clear() {
        steps = 0;
        isInRound = false;
        Arrays.fill(tempBytes, 0);
    }

    /** Asks for room in a buffer of its own. */
    public void reserve(int temp, long wantedBytes) {
        tempBytes[temp - TEMP] = Math.max(tempBytes[temp - TEMP], wantedBytes);
    }

    long tempBytes(int temp) {
        return tempBytes[temp - TEMP];
    }

    /** Messages that go at the same time as the others of this round; one of no bytes goes, too. */
    public void send(int peer, int buffer, long at, long length) {
        add(SENDS, peer, buffer, at, 0, 0, length);
    }

    public void receive(int peer, int buffer, long at, long length) {
        add(RECEIVES, peer, 0, 0, buffer, at, length);
    }

    /** After the messages of this round. */
    public void copy(int source, long sourceAt, int dest, long destAt, long length) {
        if (length > 0 && (source != dest || sourceAt != destAt)) {
            add(COPIES, -1, source, sourceAt, dest, destAt, length);
        }
    }

    /** As {@link #copy}: {@code right = left op right}, where left has the operands of lower ranks. */
    public void reduce(int left, long leftAt, int right, long rightAt, long length) {
        if (length > 0) {
            add(REDUCES, -1, left, leftAt, right, rightAt, length);
        }
    }

    /** What follows waits for what was written so far. */
    public void endRound() {
        if (isInRound) {
            add(ENDS_ROUND, -1, 0, 0, 0, 0, 0);
            isInRound = false;
        }
    }

    /** How many there are so far. */
    public int steps() {
        return steps;
    }

    /** Has the ranks of steps from this one on count from another one: they were written for a part of the ranks. */
    public void shift(int firstStep, int firstRank) {
        for (int i = firstStep; i < steps; i++) {
            peers[i] += peers[i] < 0 ? 0 : firstRank;
        }
    }

    private void add(byte kind, int peer, int fromBuffer, long fromAt, int toBuffer, long toAt, long length) {
        if (steps == kinds.length) {
            grow();
        }
        kinds[steps] = kind;
        peers[steps] = peer;
        buffers[steps] = (byte) (fromBuffer << 4 | toBuffer);
        from[steps] = fromAt;
        to[steps] = toAt;
        bytes[steps++] = length;
        isInRound = true;
    }

    private void grow() {
        int length = 2 * kinds.length;
        kinds = Arrays.copyOf(kinds, length);
        peers = Arrays.copyOf(peers, length);
        buffers = Arrays.copyOf(buffers, length);
        from = Arrays.copyOf(from, length);
        to = Arrays.copyOf(to, length);
        bytes = Arrays.copyOf(bytes, length);
    }

    int fromBuffer(int step) {
        return buffers[step] >> 4;
    }

    int toBuffer(int step) {
        return buffers[step] & 15;
    }

    /** The step behind the round that begins at this one, its end included. */
    int roundEnd(int step) {
        int end = step;
        while (end < steps && kinds[end] != ENDS_ROUND) {
            end++;
        }
        return end;
    }

    /** Messages that this rank sends, for tests and counters. */
    public int sends() {
        int sends = 0;
        for (int i = 0; i < steps; i++) {
            sends += kinds[i] == SENDS ? 1 : 0;
        }
        return sends;
    }

    /** Bytes that this rank sends. */
    public long sentBytes() {
        long sum = 0;
        for (int i = 0; i < steps; i++) {
            sum += kinds[i] == SENDS ? bytes[i] : 0;
        }
        return sum;
    }
}
