package org.sluice.ib.landing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.DirectSlots;
import org.sluice.ib.queue.WorkRequest;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * The sender's end of a landing ring: where its next packet goes, and whether it may. The receiver opens and closes it;
 * one that is told to close it may believe that only once no sender is inside.
 *
 * <p><i>Thread</i>: {@link #mayEnter}, {@link #enter}, {@link #fill} and {@link #leave} under the peer's send lock,
 * {@link #toTell} any, the rest under the progress lock. A sender stores {@code inside} and then looks at {@code open};
 * the progress thread stores {@code open} and then looks at {@code inside}: one of the two sees the other. <i>Owns</i>:
 * nothing. <i>Proof</i>: {@code LandingGateTest}, {@code LandingRxeTest}, {@code LandingSleepRxeTest}.
 */
public final class LandingGate implements DirectSlots {
    private static final int MOST_LATE = 1 << 16;

    private final LandingLayout layout;
    private final boolean isImmediate;

    /** Written before {@code open} is stored, and while no sender is inside or may enter. */
    private long address;

    private int rkey;
    private volatile boolean open;
    private final AtomicBoolean inside = new AtomicBoolean();
    /** Written under the send lock, before the post. */
    private final AtomicInteger written = new AtomicInteger();
    /** Written under the progress lock. */
    private volatile int released;
    /** This rank's ring for the same peer, whose news packets carry; null where there is none. */
    private volatile LandingRing own;

    LandingGate(LandingLayout layout, boolean isImmediate) {
        this.layout = layout;
        this.isImmediate = isImmediate;
    }

    @Override
    public boolean needsCredit() {
        return isImmediate;
    }

    @Override
    public boolean mayEnter(int packetBytes) {
        return open && layout.fits(packetBytes) && written.getPlain() - released < LandingLayout.SLOTS;
    }

    @Override
    public boolean enter(int packetBytes) {
        if (!mayEnter(packetBytes)) {
            return false;
        }
        inside.set(true);
        if (open) {
            return true;
        }
        inside.lazySet(false);
        return false;
    }

    @Override
    public int mostMore() {
        return Long.BYTES - 1 + LandingLayout.MARK_BYTES;
    }

    @Override
    public void fill(WorkRequest request, long id, int flags, long packet, int packetBytes, int lkey) {
        int number = written.getPlain() + 1;
        int span = LandingLayout.span(packetBytes);
        // The bytes up to the mark: no message that was here before is to be seen in them.
        Memory.putLong(packet + packetBytes, 0);
        Memory.putLong(packet + span, LandingLayout.mark(number, packetBytes));
        request.fill(
                id,
                isImmediate ? VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM : VerbsLayout.OPCODE_RDMA_WRITE,
                flags,
                packet,
                span + LandingLayout.MARK_BYTES,
                lkey);
        request.remote(address + layout.packetAt(number, packetBytes), rkey);
        request.immediate(number);
        // Before the post: the receiver may release it before that returns.
        written.lazySet(number);
    }

    @Override
    public void leave(boolean isPosted) {
        if (!isPosted) {
            written.lazySet(written.getPlain() - 1);
        }
        inside.lazySet(false);
    }

    @Override
    public int toTell() {
        LandingRing ring = own;
        return ring == null ? 0 : ring.toTell();
    }

    /** Whom packets to the peer tell of from now on. */
    void tellOf(LandingRing ring) {
        own = ring;
    }

    /** Where the ring is: before the first is opened, and where it was closed and nobody is inside. */
    void ring(long newAddress, int newRkey) {
        address = newAddress;
        rkey = newRkey;
    }

    boolean isRing(long otherAddress, int otherRkey) {
        return address == otherAddress && rkey == otherRkey;
    }

    void open(boolean is) {
        open = is;
    }

    /** After {@code open(false)}: true when no write comes any more that wasn't posted before. */
    boolean isIdle() {
        return !inside.get();
    }

    /**
     * The receiver has handed up so many in all.
     *
     * @return false when no Sluice says that
     */
    boolean onReleased(int count) {
        int more = count - released;
        // What a sender and the progress thread tell may overtake each other: late news is below.
        if (more < -MOST_LATE || written.get() - count < 0) {
            return false;
        }
        if (more > 0) {
            released = count;
        }
        return true;
    }

    @Override
    public String toString() {
        return "LandingGate[" + (open ? "open, " : "closed, ") + (written.get() - released) + " of "
                + LandingLayout.SLOTS + " in use]";
    }
}
