package org.sluice.shm.ring;

import org.sluice.device.memory.Memory;

/**
 * One bit for each sender, in the receiver's memory: set says "look at my ring". A cache line holds 512 of them.
 *
 * <p>The pair of fences: a sender publishes, fences, reads the ring's watched flag and rings when it is 0; the receiver
 * clears the flag, fences and polls the ring once more before it looks away. One of the two sees the other.
 * <i>Thread</i>: {@link #ring} any, {@link #collect} the receiver. <i>Fails</i>: a bit too many costs a poll; a bit
 * that nonsense cleared is made good by {@link InboundRings#sweep}. <i>Proof</i>: {@code DoorbellStress}.
 */
public final class Doorbell {
    private static final int WORD_SHIFT = 6;
    private static final int SLOTS_PER_LINE = Memory.CACHE_LINE * Byte.SIZE;

    private final long address;
    private final int words;

    public Doorbell(long address, int slots) {
        this.address = address;
        this.words = (slots + Long.SIZE - 1) >> WORD_SHIFT;
    }

    /** Whole cache lines for this many senders. */
    public static long bytes(int slots) {
        return (slots + SLOTS_PER_LINE - 1) / SLOTS_PER_LINE * (long) Memory.CACHE_LINE;
    }

    /** For a sender, after it published and fenced; returns whether it rang. */
    public boolean ringUnlessWatched(RingWriter writer, int slot) {
        if (writer.watched()) {
            return false;
        }
        ring(slot);
        return true;
    }

    /**
     * Sets the sender's bit, after it published and fenced; a full fence, so that a sleeping flag is read after the bit
     * stands.
     */
    public void ring(int slot) {
        long word = address + ((long) (slot >> WORD_SHIFT) << 3);
        long bit = 1L << slot;
        long seen;
        do {
            seen = Memory.getLongVolatile(word);
            if ((seen & bit) != 0) {
                // Not taken yet, so the receiver takes it after this read and watches the ring from then on. With
                // asymmetric fences its first poll may still miss what was published before, a later one doesn't:
                // before it looks away or sleeps it fences everywhere and polls again.
                return;
            }
        } while (!Memory.compareAndSetLong(word, seen, seen | bit));
    }

    public int words() {
        return words;
    }

    /** Takes the bits of one word; whatever was published before a bit was set is visible afterwards. */
    public long collect(int word) {
        long at = address + ((long) word << 3);
        long bits = Memory.getLongVolatile(at);
        while (bits != 0 && !Memory.compareAndSetLong(at, bits, 0)) {
            bits = Memory.getLongVolatile(at);
        }
        return bits;
    }
}
