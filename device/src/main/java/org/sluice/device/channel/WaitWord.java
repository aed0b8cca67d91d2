package org.sluice.device.channel;

import org.sluice.device.memory.Memory;

/**
 * The one word on which a rank sleeps, whichever channel wakes it.
 *
 * <pre>
 *   0  sequence  4   futex word; senders add 1 before they wake; the sleeper reads it before its last poll
 *   4  sleeping  4   1 while the rank sleeps or is about to; written by the rank, read by senders after their fence
 * </pre>
 *
 * <p>The pair of fences: the sleeper writes {@code sleeping}, fences, polls once more and only then sleeps; a sender
 * publishes, fences, reads {@code sleeping}. One of the two sees the other. <i>Thread</i>: {@link #ring} any, the rest
 * the sleeper. <i>Owns</i>: nothing, the memory is the segment's or the channel's; {@code keepAlive} holds it.
 * <i>Proof</i>: {@code WaitWordStress}.
 */
public final class WaitWord {
    public static final int BYTES = 8;

    private static final int SEQUENCE = 0;
    private static final int SLEEPING = 4;

    private final long address;
    private final Object keepAlive;
    private final Waker waker;
    private final Fences fences;

    /**
     * Wakes the sleeper natively; null where no native library is to be had: the sleeper then looks by itself now and
     * then.
     */
    public interface Waker {
        void wake(long futexAddress);
    }

    public WaitWord(long address, Object keepAlive, Waker waker) {
        this(address, keepAlive, waker, Fences.SYMMETRIC);
    }

    /** @param fences what the ranks of this node have agreed on */
    public WaitWord(long address, Object keepAlive, Waker waker, Fences fences) {
        this.fences = fences;
        this.address = address;
        this.keepAlive = keepAlive;
        this.waker = waker;
    }

    /** The fences of this rank and of whoever sends to it. */
    public Fences fences() {
        return fences;
    }

    public long futexAddress() {
        return address + SEQUENCE;
    }

    public int sequence() {
        return Memory.getIntVolatile(address + SEQUENCE);
    }

    /** The fence included: what is polled afterwards can't have been read before the flag was visible. */
    public void announceSleep() {
        Memory.putIntVolatile(address + SLEEPING, 1);
        fences.beforeLook();
    }

    public void awake() {
        Memory.putIntRelease(address + SLEEPING, 0);
    }

    /**
     * For a sender, after it published and fenced; costs one load of a line that is rarely written. True when it rang.
     */
    public boolean ringIfSleeping() {
        if (Memory.getIntVolatile(address + SLEEPING) == 0) {
            return false;
        }
        ring();
        return true;
    }

    public void ring() {
        // HotSpot's own compare-and-set does not survive a page that is gone, as in a segment that was cut short; its
        // reads do.
        sequence();
        Memory.settle();
        Memory.getAndAddInt(address + SEQUENCE, 1);
        if (waker != null) {
            waker.wake(address + SEQUENCE);
        }
        java.lang.ref.Reference.reachabilityFence(keepAlive);
    }
}
