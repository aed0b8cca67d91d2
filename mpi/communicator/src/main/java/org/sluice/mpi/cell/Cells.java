package org.sluice.mpi.cell;

import org.sluice.device.memory.Memory;
import org.sluice.mpi.schedule.MismatchException;

/**
 * Memory of each rank that it alone writes, and that the others read: a few cells, which are used one after the other,
 * and the number of the last turn that the rank is done with.
 *
 * <p>A turn is one step of a collective that all ranks take in the same order; of n cells turn t uses cell t modulo n.
 * A cell's first word says for which turn it was written, and of which call; what is short lies behind it, in the same
 * cache line, and so crosses to another core together with the word. A cell is written anew when all ranks are done
 * with the turn that used it before, so that a rank waits for the slowest one n turns ago.
 *
 * <p>A few are best for what is short. Long blocks want many: of a few cells each line is still in the cache of the
 * core that has just read it, and has to be taken from there before it can be written anew.
 *
 * <p>The line of the next cell is written to when the one before is shown: a core that has just read it has to give it
 * up before its word can be seen, and does so while this rank waits. Nobody reads what is written, so it has no order.
 *
 * <p>Memory order: the word is stored with release behind the payload and loaded with acquire before it; the number of
 * turns that are done is stored with release behind the last read, and behind the last write to another rank's result;
 * it is loaded with acquire before a cell is written anew or a call returns. References to arrays that are shown are
 * plain: the word of their turn is stored behind them, and they are taken away once all are done with it.
 *
 * <p><i>Thread</i>: one of each rank. <i>Proof</i>: {@code CellsTest}, {@code CollectiveModelTest}.
 */
public final class Cells {
    /** As many turns may be on their way, of what is short; a power of two. */
    public static final int FEW = 4;
    /** The same of long blocks: a megabyte. */
    public static final int MANY = 64;
    /** Bytes of payload that a cell takes. */
    public static final int CELL_BYTES = 16 << 10;
    /** Neighbouring lines are fetched in pairs. */
    private static final int LINE = 128;
    /** Where blocks begin. */
    static final int ALIGNMENT = LINE;
    /** Payload that lies in the line of the word. */
    static final int SHORT_BYTES = 48;

    /** In that line, and of no use otherwise: see {@link #claim}. */
    private static final int SPARE = Long.BYTES + SHORT_BYTES;

    private static final int STRIDE = LINE + CELL_BYTES;

    /** What an array that is shown takes in a cell: where its two halves of a call begin, and their bytes. */
    private static final int SHOWN_BYTES = 3 * Long.BYTES;

    private final int count;
    private final int rank;
    private final long[] addresses;
    /** By rank, for each cell two arrays of the caller; null where ranks are not threads of one JVM. */
    private final Object[][] shown;

    private final Patience patience;
    /** By rank: it is done with this turn, as it has shown its payload of a later one. */
    private final int[] known;

    private int turn;
    /** The line of this turn's cell, and of those before it, was taken from those that read it before. */
    private int claimed;
    /** All ranks are done with this turn, and those before it. */
    private int allDone;

    /**
     * Of blocks that are zero at the beginning.
     *
     * @param count {@link #FEW} or {@link #MANY}
     * @param addresses by rank, of its block
     * @param shown by rank, {@link ThreadCells#shown}, or null where the ranks have no heap in common
     */
    public Cells(int count, int rank, long[] addresses, Object[][] shown, Patience patience) {
        this.count = count;
        this.rank = rank;
        this.addresses = addresses;
        this.shown = shown;
        this.patience = patience;
        this.known = new int[addresses.length];
    }

    /** What so many cells of a rank take together. */
    public static int blockBytes(int count) {
        return count * STRIDE + LINE;
    }

    /** So many turns may be on their way. */
    int count() {
        return count;
    }

    /** The next turn. It is begun when a cell of it is written or read. */
    int next() {
        return ++turn;
    }

    private long cellOf(int turnOf) {
        return (long) (turnOf & count - 1) * STRIDE;
    }

    private static long word(int turnOf, int signature) {
        return (long) turnOf << Integer.SIZE | signature;
    }

    /** Where the payload of such a length lies in a cell. */
    private static long payloadOf(long bytes) {
        return bytes <= SHORT_BYTES ? Long.BYTES : LINE;
    }

    /** Where this rank's payload of a turn goes, when nobody reads there any more. */
    long room(int turnOf, long bytes) {
        if (turnOf - count - allDone > 0) {
            awaitDone(turnOf - count);
        }
        return addresses[rank] + cellOf(turnOf) + payloadOf(bytes);
    }

    private void awaitDone(int wanted) {
        // What is found is often more, and saves the next turns the look.
        int least = turn;
        for (int peer = 0; peer < addresses.length; peer++) {
            if (peer != rank) {
                int found = known[peer];
                if (found - wanted < 0) {
                    found = (int) Memory.getLongAcquire(addresses[peer] + (long) count * STRIDE);
                }
                if (found - wanted < 0) {
                    found = awaitDone(peer, wanted);
                }
                if (found - least < 0) {
                    least = found;
                }
            }
        }
        allDone = least;
    }

    private int awaitDone(int peer, int wanted) {
        patience.begin();
        while (true) {
            int other = patience.lose(peer);
            int found = (int) Memory.getLongAcquire(addresses[peer] + (long) count * STRIDE);
            if (found - wanted >= 0) {
                return found;
            }
            patience.refuse(peer, other);
        }
    }

    /** Shows the payload that was written to {@link #room}. */
    void publish(int turnOf, int signature) {
        Memory.putLongRelease(addresses[rank] + cellOf(turnOf), word(turnOf, signature));
        claim(turnOf + 1);
    }

    /** Has the line of the next cell come here while this rank waits, so that its word is seen sooner. */
    private void claim(int turnOf) {
        if (turnOf - claimed > 0) {
            claimed = turnOf;
            Memory.putLong(addresses[rank] + cellOf(turnOf) + SPARE, 0);
        }
    }

    /** Copies a payload and shows it. */
    void publish(int turnOf, int signature, Object base, long address, long bytes) {
        long room = room(turnOf, bytes);
        Memory.copy(base, address, null, room, bytes);
        publish(turnOf, signature);
    }

    /**
     * Waits for a rank's payload of a turn.
     *
     * @return its address
     */
    long await(int peer, int turnOf, int signature, long bytes) {
        long payload = awaitAhead(peer, turnOf, signature, bytes);
        // Its next payload may be shown while the one before is still read, and no earlier.
        known[peer] = turnOf - 2;
        return payload;
    }

    /** As {@link #await}, of a rank that may have shown payloads of all its cells before it reads the first. */
    long awaitAhead(int peer, int turnOf, int signature, long bytes) {
        long at = addresses[peer] + cellOf(turnOf);
        long expected = word(turnOf, signature);
        if (Memory.getLongAcquire(at) != expected) {
            awaitOther(peer, turnOf, at, expected);
        }
        return at + payloadOf(bytes);
    }

    private void awaitOther(int peer, int turnOf, long at, long expected) {
        patience.begin();
        long found = Memory.getLongAcquire(at);
        while (found != expected) {
            if ((int) (found >>> Integer.SIZE) == turnOf) {
                throw new MismatchException(peer, (int) found);
            }
            int other = patience.lose(peer);
            found = Memory.getLongAcquire(at);
            if (found != expected) {
                patience.refuse(peer, other);
            }
        }
    }

    // --- arrays of the callers, between threads of one JVM
    // ----------------------------------------------------------------------------------------------------

    boolean canShow() {
        return shown != null;
    }

    /**
     * Lets the others use arrays of this rank's caller, until all are done with the turn. Places are in bytes from the
     * arrays' beginnings.
     *
     * @param bytes that each is told to have there, the same at all ranks
     */
    void show(int turnOf, int signature, Object send, long sendAt, Object receive, long receiveAt, long bytes) {
        long room = room(turnOf, SHOWN_BYTES);
        int slot = slotOf(turnOf);
        shown[rank][slot] = send;
        shown[rank][slot + 1] = receive;
        Memory.putLong(room, sendAt);
        Memory.putLong(room + Long.BYTES, receiveAt);
        Memory.putLong(room + 2 * Long.BYTES, bytes);
        publish(turnOf, signature);
    }

    /** Waits until a rank has shown its arrays. */
    void awaitShown(int peer, int turnOf, int signature, long bytes) {
        long payload = await(peer, turnOf, signature, SHOWN_BYTES);
        // Signatures of calls that don't fit may be the same by chance, and what lies behind an array isn't touched.
        if (Memory.getLong(payload + 2 * Long.BYTES) != bytes) {
            throw new MismatchException(peer, signature);
        }
    }

    private int slotOf(int turnOf) {
        return 2 * (turnOf & count - 1);
    }

    private long shownAt(int peer, int turnOf) {
        return addresses[peer] + cellOf(turnOf) + payloadOf(SHOWN_BYTES);
    }

    Object sendOf(int peer, int turnOf) {
        return shown[peer][slotOf(turnOf)];
    }

    long sendAt(int peer, int turnOf) {
        return Memory.getLong(shownAt(peer, turnOf));
    }

    Object receiveOf(int peer, int turnOf) {
        return shown[peer][slotOf(turnOf) + 1];
    }

    long receiveAt(int peer, int turnOf) {
        return Memory.getLong(shownAt(peer, turnOf) + Long.BYTES);
    }

    /** This rank is done with the turn; returns when all are, and its arrays are its caller's again. */
    void doneByAll(int turnOf) {
        done(turnOf);
        awaitDone(turnOf);
        int slot = slotOf(turnOf);
        shown[rank][slot] = null;
        shown[rank][slot + 1] = null;
    }

    /** This rank reads nothing of the turn any more. */
    void done(int turnOf) {
        Memory.putLongRelease(addresses[rank] + (long) count * STRIDE, turnOf & 0xFFFFFFFFL);
        claim(turnOf + 1);
    }

    /** All ranks have shown their payloads of this turn, and so were done with the one two turns before. */
    void allAreAt(int turnOf) {
        if (turnOf - 2 - allDone > 0) {
            allDone = turnOf - 2;
        }
    }
}
