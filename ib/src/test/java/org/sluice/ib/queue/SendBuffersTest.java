package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/** Slots that packets are sent from: how many there are, where they lie, and when more memory is registered. */
final class SendBuffersTest {
    private static final int STEP = 64;
    private static final int SLOT_BYTES = 320;

    /** Address and length of what is registered; the number of a region, from 1, is its handle and its key. */
    private final List<long[]> regions = new ArrayList<>();

    private final List<Long> ended = new ArrayList<>();
    private int refusal;
    private final VerbsCalls verbs = (VerbsCalls)
            Proxy.newProxyInstance(VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);

    private Object call(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "lockedMemoryLimit":
                return Long.MAX_VALUE;
            case "deregisterMemory":
                ended.add((long) arguments[0]);
                return -refusal;
            case "registerMemory":
                if (refusal != 0) {
                    return -refusal;
                }
                regions.add(new long[] {(long) arguments[1], (long) arguments[2]});
                Arrays.fill((long[]) arguments[4], regions.size());
                return 0;
            default:
                throw new AssertionError(method.getName());
        }
    }

    private static int[] takeAll(SendBuffers buffers, int count) {
        int[] slots = new int[count];
        Arrays.setAll(slots, i -> buffers.take());
        return slots;
    }

    @Test
    void growsByAStepWhereAllAreInUseUpToTheLimit() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 3 * STEP, Long.MAX_VALUE);
        takeAll(buffers, STEP);
        assertEquals(1, regions.size(), "the first are there from the start");
        takeAll(buffers, 1);
        assertEquals(2, regions.size());
        takeAll(buffers, STEP - 1);
        assertEquals(2, regions.size(), "and no more than are needed");
        takeAll(buffers, STEP);
        assertEquals(3, regions.size());
        assertEquals(-1, buffers.take());
        assertEquals(3, regions.size());
        buffers.close();
        assertEquals(List.of(1L, 2L, 3L), ended);
    }

    @Test
    void aStepIsNoLongerThanWhatTheDeviceRegisters() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, STEP, 5 * SLOT_BYTES + 1);
        takeAll(buffers, 6);
        assertEquals(List.of(4L * SLOT_BYTES, 4L * SLOT_BYTES), List.of(regions.get(0)[1], regions.get(1)[1]));
        assertEquals(2, buffers.lkey(5));
        buffers.close();
    }

    @Test
    void eachSlotHasMemoryOfItsOwnInARegisteredStep() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 3 * STEP, Long.MAX_VALUE);
        int[] slots = takeAll(buffers, 3 * STEP);
        assertEquals(
                slots.length,
                Arrays.stream(slots).mapToLong(buffers::address).distinct().count());
        for (int slot : slots) {
            long[] region = regions.get(buffers.lkey(slot) - 1);
            long offset = buffers.address(slot) - region[0];
            assertTrue(
                    offset >= 0 && offset + SLOT_BYTES <= region[1] && offset % SLOT_BYTES == 0,
                    slot + " at " + offset + " of " + region[1]);
        }
        buffers.close();
    }

    @Test
    void whatWasGivenBackIsTakenBeforeMoreIsRegistered() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 3 * STEP, Long.MAX_VALUE);
        int[] slots = takeAll(buffers, 2 * STEP);
        for (int slot : slots) {
            buffers.give(slot);
        }
        int[] again = takeAll(buffers, 2 * STEP);
        assertEquals(2, regions.size());
        Arrays.sort(slots);
        Arrays.sort(again);
        assertEquals(Arrays.toString(slots), Arrays.toString(again));
        buffers.close();
    }

    /** Senders ask for completions early only where nothing can be added any more. */
    @Test
    void fewAreLeftOnlyAtTheEndOfTheGrowth() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 2 * STEP, Long.MAX_VALUE);
        takeAll(buffers, STEP);
        assertFalse(buffers.isScarce(), "a step is left");
        takeAll(buffers, STEP - STEP / 4);
        assertFalse(buffers.isScarce());
        int last = buffers.take();
        assertTrue(buffers.isScarce());
        buffers.give(last);
        assertFalse(buffers.isScarce());
        buffers.close();
    }

    @Test
    void aStepThatIsRefusedEndsTheGrowth() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 4 * STEP, Long.MAX_VALUE);
        int[] slots = takeAll(buffers, 2 * STEP);
        refusal = Errno.ENOMEM;
        assertEquals(-1, buffers.take());
        assertTrue(buffers.isScarce());
        refusal = 0;
        assertEquals(-1, buffers.take(), "what is refused once is not asked for with every packet");
        buffers.give(slots[5]);
        assertEquals(slots[5], buffers.take());
        assertEquals(2, regions.size());
        buffers.close();
        assertEquals(List.of(1L, 2L), ended);
    }

    @Test
    void aRegionThatIsNotGivenBackKeepsNoOther() {
        SendBuffers buffers = new SendBuffers(verbs, 0, SLOT_BYTES, 2 * STEP, Long.MAX_VALUE);
        takeAll(buffers, STEP + 1);
        refusal = Errno.EIO;
        assertTrue(assertThrows(IllegalStateException.class, buffers::close)
                .getMessage()
                .contains("ibv_dereg_mr"));
        assertEquals(List.of(1L, 2L), ended);
    }
}
