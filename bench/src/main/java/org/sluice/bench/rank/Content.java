package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;

/**
 * Writes and checks what messages carry. The checked pattern depends on size, iteration, slot and sender, so that a
 * message that came twice, late, cut or from elsewhere is seen.
 */
final class Content {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int CHUNK = 4096;

    private final byte[] chunk = new byte[CHUNK];
    private long rewritingNs;

    Content() {
        Arrays.fill(chunk, (byte) 0x5A);
    }

    private static long seed(int size, int iteration, int slot, int rank) {
        return ((long) size << 40) ^ ((long) iteration << 16) ^ ((long) slot << 8) ^ rank;
    }

    private static long word(long seed, int index) {
        return (seed + index) * MULTIPLIER;
    }

    /**
     * What the step has a sender do with a message before it goes: nothing, or write it anew.
     *
     * @param place of the message in the buffer, in messages
     * @param slot of the message in its window
     */
    void fill(Step step, ByteBuffer buffer, int place, int iteration, int slot, int rank) {
        if (step.verify()) {
            write(buffer, step.size(), iteration, place, slot, rank);
        } else if (step.rewrite() == Rewrite.YES) {
            rewrite(buffer, place * step.size(), step.size(), iteration);
        } else if (step.rewrite() == Rewrite.TIMED) {
            // Twice: what lies between two reads of the clock if nothing does is taken off.
            long before = System.nanoTime();
            long start = System.nanoTime();
            rewrite(buffer, place * step.size(), step.size(), iteration);
            rewritingNs += System.nanoTime() - start - (start - before);
        }
    }

    /** The clock that the step's batches are timed by: it goes on while the sender rewrites, if only that counts. */
    long now(Step step) {
        return step.rewrite() == Rewrite.TIMED ? rewritingNs : System.nanoTime();
    }

    /**
     * What the step has a receiver do with a message: nothing, or check it. The rest as in {@link #fill}, by the
     * sender's view.
     */
    void look(Step step, ByteBuffer buffer, int place, int iteration, int slot, int source) {
        if (step.verify()) {
            check(buffer, step.size(), iteration, place, slot, source);
        }
    }

    /** Touches every byte as cheaply as a program can: what a sender that fills its buffer does. */
    void rewrite(ByteBuffer buffer, int offset, int size, int iteration) {
        int done = 0;
        for (; done + CHUNK <= size; done += CHUNK) {
            buffer.put(offset + done, chunk, 0, CHUNK);
        }
        if (size - done > Long.BYTES) {
            buffer.put(offset + done, chunk, 0, size - done);
        }
        if (size >= Long.BYTES) {
            buffer.putLong(offset, iteration);
        } else if (size > 0) {
            buffer.put(offset, (byte) iteration);
        }
    }

    void write(ByteBuffer buffer, int size, int iteration, int slot, int rank) {
        write(buffer, size, iteration, slot, slot, rank);
    }

    void write(ByteBuffer buffer, int size, int iteration, int place, int slot, int rank) {
        long seed = seed(size, iteration, slot, rank);
        ByteBuffer words = view(buffer, size, place);
        int index = 0;
        while (words.remaining() >= Long.BYTES) {
            words.putLong(word(seed, index++));
        }
        for (long last = word(seed, index); words.hasRemaining(); last >>>= Byte.SIZE) {
            words.put((byte) last);
        }
    }

    void check(ByteBuffer buffer, int size, int iteration, int slot, int rank) {
        check(buffer, size, iteration, slot, slot, rank);
    }

    /** Where a message lies in another slot than its sender sent it from. */
    void check(ByteBuffer buffer, int size, int iteration, int slot, int sentSlot, int rank) {
        long seed = seed(size, iteration, sentSlot, rank);
        ByteBuffer words = view(buffer, size, slot);
        int index = 0;
        while (words.remaining() >= Long.BYTES) {
            long found = words.getLong();
            if (found != word(seed, index)) {
                throw wrong(
                        size,
                        iteration,
                        slot,
                        rank,
                        words.position() - Long.BYTES - slot * size,
                        found,
                        word(seed, index));
            }
            index++;
        }
        for (long last = word(seed, index); words.hasRemaining(); last >>>= Byte.SIZE) {
            byte found = words.get();
            if (found != (byte) last) {
                throw wrong(size, iteration, slot, rank, words.position() - 1 - slot * size, found, (byte) last);
            }
        }
    }

    private static ByteBuffer view(ByteBuffer buffer, int size, int slot) {
        return buffer.duplicate()
                .order(ByteOrder.nativeOrder())
                .limit((slot + 1) * size)
                .position(slot * size);
    }

    private static IllegalStateException wrong(
            int size, int iteration, int slot, int rank, int at, long found, long expected) {
        return new IllegalStateException(
                "wrong content: message of " + size + " B from rank " + rank + ", iteration " + iteration
                        + ", slot " + slot + ", at byte " + at + ": found " + Long.toHexString(found) + ", expected "
                        + Long.toHexString(expected));
    }
}
