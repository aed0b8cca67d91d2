package org.sluice.ib.queue;

import java.util.Arrays;
import org.sluice.device.SluiceException;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Registered memory that packets are sent from, in slots of one size, shared by all peers; grows in steps up to a limit.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the regions, until close. <i>Fails</i>: no slot is -1; a step that can't be registered ends the
 * growth, unless it is the first. <i>Proof</i>: {@code SendBuffersTest}.
 */
public final class SendBuffers implements AutoCloseable {
    private static final int STEP_SLOTS = 64;

    private final VerbsCalls verbs;
    private final long domain;
    private final int slotBytes;
    private int limitSlots;
    private final Region[] regions;
    private int steps;
    private int[] free = new int[STEP_SLOTS];
    private int freeCount;

    public SendBuffers(VerbsCalls verbs, long domain, int slotBytes, int limitSlots) {
        this.verbs = verbs;
        this.domain = domain;
        this.slotBytes = slotBytes;
        this.limitSlots = Math.max(limitSlots, STEP_SLOTS);
        this.regions = new Region[(this.limitSlots + STEP_SLOTS - 1) / STEP_SLOTS];
        grow();
    }

    /** @return a slot, or -1 when all are in use and no more may be made */
    public synchronized int take() {
        if (freeCount == 0) {
            if ((steps + 1) * STEP_SLOTS > limitSlots) {
                return -1;
            }
            try {
                grow();
            } catch (SluiceException | OutOfMemoryError e) {
                // What there is has to do; the slots in use come back.
                limitSlots = steps * STEP_SLOTS;
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
        return freeCount < STEP_SLOTS / 4 && (steps + 1) * STEP_SLOTS > limitSlots;
    }

    public synchronized long address(int slot) {
        return regions[slot / STEP_SLOTS].address() + (long) (slot % STEP_SLOTS) * slotBytes;
    }

    public synchronized int lkey(int slot) {
        return regions[slot / STEP_SLOTS].lkey();
    }

    private void grow() {
        // First what may fail without a trace.
        free = Arrays.copyOf(free, (steps + 1) * STEP_SLOTS);
        regions[steps] = new Region(verbs, domain, (long) STEP_SLOTS * slotBytes, 0);
        for (int i = 0; i < STEP_SLOTS; i++) {
            free[freeCount++] = steps * STEP_SLOTS + i;
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
