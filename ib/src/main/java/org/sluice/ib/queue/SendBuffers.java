package org.sluice.ib.queue;

import java.util.Arrays;
import org.sluice.device.SluiceException;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Registered memory that packets are sent from, in slots of one size, shared by all peers; grows in steps up to a
 * limit.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the regions, until close. <i>Fails</i>: no slot is -1; a step that can't be
 * registered ends the growth, unless it is the first. <i>Proof</i>: {@code SendBuffersTest}.
 */
public final class SendBuffers implements AutoCloseable {
    private static final int MOST_STEP_SLOTS = 64;
    private static final int FEW_SLOTS = 16;

    private final VerbsCalls verbs;
    private final long domain;
    private final int slotBytes;
    /** A power of two. */
    private final int stepSlots;

    private final int stepShift;
    private int limitSlots;
    private final Region[] regions;
    private int steps;
    private int[] free = {};
    private int freeCount;

    /** @param mostBytes longest piece of memory that the device registers */
    public SendBuffers(VerbsCalls verbs, long domain, int slotBytes, int limitSlots, long mostBytes) {
        this.verbs = verbs;
        this.domain = domain;
        this.slotBytes = slotBytes;
        this.stepSlots = stepSlots(slotBytes, mostBytes);
        this.stepShift = Integer.numberOfTrailingZeros(stepSlots);
        this.limitSlots = Math.max(limitSlots, stepSlots);
        this.regions = new Region[(this.limitSlots + stepSlots - 1) / stepSlots];
        grow();
    }

    private static int stepSlots(int slotBytes, long mostBytes) {
        return Integer.highestOneBit((int) Math.max(1, Math.min(MOST_STEP_SLOTS, mostBytes / slotBytes)));
    }

    /** Of the first step, which is registered from the start. */
    public static long firstBytes(int slotBytes, long mostBytes) {
        return (long) stepSlots(slotBytes, mostBytes) * slotBytes;
    }

    /** @return a slot, or -1 when all are in use and no more may be made */
    public synchronized int take() {
        if (freeCount == 0) {
            if ((steps + 1) * stepSlots > limitSlots) {
                return -1;
            }
            try {
                grow();
            } catch (SluiceException | OutOfMemoryError e) {
                // What there is has to do; the slots in use come back.
                limitSlots = steps * stepSlots;
                return -1;
            }
        }
        return free[--freeCount];
    }

    public synchronized void give(int slot) {
        free[freeCount++] = slot;
    }

    /** True when senders should ask for completions early, because few slots are left. */
    public synchronized boolean isScarce() {
        return freeCount < FEW_SLOTS && (steps + 1) * stepSlots > limitSlots;
    }

    public synchronized long address(int slot) {
        return regions[slot >> stepShift].address() + (long) (slot & stepSlots - 1) * slotBytes;
    }

    public synchronized int lkey(int slot) {
        return regions[slot >> stepShift].lkey();
    }

    private void grow() {
        // First what may fail without a trace.
        free = Arrays.copyOf(free, (steps + 1) * stepSlots);
        regions[steps] = new Region(verbs, domain, (long) stepSlots * slotBytes, 0);
        for (int i = 0; i < stepSlots; i++) {
            free[freeCount++] = steps * stepSlots + i;
        }
        steps++;
    }

    @Override
    public synchronized void close() {
        GivingBack back = new GivingBack();
        for (int i = 0; i < steps; i++) {
            back.close(regions[i]);
        }
        back.end();
    }
}
