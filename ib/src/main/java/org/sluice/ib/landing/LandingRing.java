package org.sluice.ib.landing;

import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.PacketPlace;
import org.sluice.ib.queue.Region;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The receiver's end of a landing ring: memory that one peer writes its packets to, and that is looked at for the next
 * one's mark. What it holds is the peer's word: the length is checked here, the packet by whoever takes it.
 *
 * <p><i>Thread</i>: under the progress lock, {@link #toTell} any. <i>Owns</i>: the memory, which is freed only once the
 * queue pair that could write to it is gone, or once its sender has agreed to write there no more: then it counts on
 * without, for the next. <i>Proof</i>: {@code LandingRingTest}, {@code BusiestPeersTest}.
 */
public final class LandingRing implements PacketPlace, AutoCloseable {
    /** Instead of a length: the next packet has not come. */
    public static final int NOTHING = 0;

    private final LandingLayout layout;
    /** Null while another peer has a ring instead. */
    private Region region;
    /** Of the region that it has, or had last. */
    private long address;

    private int rkey;
    private int next = 1;
    /** Packets that were handed up: one word that publishes nothing else to senders, who tell it. */
    private volatile int released;
    /** The highest count that a packet has carried. */
    private final AtomicInteger told = new AtomicInteger();

    LandingRing(VerbsCalls verbs, long domain, LandingLayout layout) {
        this.layout = layout;
        renew(verbs, domain);
    }

    /** Gives it memory again. The key of what it had before opens nothing. */
    void renew(VerbsCalls verbs, long domain) {
        region = new Region(
                verbs, domain, layout.ringBytes(), VerbsCalls.ACCESS_LOCAL_WRITE | VerbsCalls.ACCESS_REMOTE_WRITE);
        address = region.address();
        rkey = region.rkey();
    }

    boolean hasMemory() {
        return region != null;
    }

    /** All that was written to it was handed up and released. */
    boolean isEmpty() {
        return isReleased() && look() == NOTHING;
    }

    /** All that was handed up was released. */
    boolean isReleased() {
        return released == next - 1;
    }

    long address() {
        return address;
    }

    int rkey() {
        return rkey;
    }

    /**
     * Looks for the next packet. The mark is loaded with acquire: what was written before it is loaded after it.
     *
     * @return its length as the mark has it, which {@link #isRight} judges, or {@link #NOTHING}
     */
    public int look() {
        if (region == null) {
            return NOTHING;
        }
        long mark = Memory.getLongAcquire(address + layout.markAt(next));
        return LandingLayout.number(mark) == next ? LandingLayout.packetBytes(mark) : NOTHING;
    }

    /** Whether a packet may have this length; nothing else of it is to be read where not. */
    public boolean isRight(int packetBytes) {
        return layout.fits(packetBytes);
    }

    /** Where the next packet begins. */
    public long address(int packetBytes) {
        return address + layout.packetAt(next, packetBytes);
    }

    /** The next packet's place in the order of all of its sender's. */
    int sequence(int packetBytes) {
        return Memory.getInt(address(packetBytes) + PacketHeader.SEQUENCE);
    }

    /** Which packet is the next, from 1; wraps. */
    public int next() {
        return next;
    }

    /** The next packet is being handed up; {@link #release} ends that. */
    public void take() {
        next++;
    }

    /** Packets are released in the order in which they were taken. */
    @Override
    public void release(int number) {
        released++;
    }

    /** How many were released in all: what the next packet to the sender has to say in {@link PacketHeader#LANDED}. */
    int toTell() {
        int now = released;
        for (int before = told.get(); now - before > 0 && !told.compareAndSet(before, now); ) {
            before = told.get();
        }
        return now;
    }

    /** True when the sender may soon find no room because of news that no packet has carried yet. */
    boolean owesNews() {
        int known = told.get();
        return released != known && next - 1 - known >= LandingLayout.SLOTS / 2;
    }

    /** Gives up the memory. */
    @Override
    public void close() {
        Region last = region;
        region = null;
        if (last != null) {
            last.close();
        }
    }
}
