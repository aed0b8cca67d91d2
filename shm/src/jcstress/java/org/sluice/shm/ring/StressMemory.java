package org.sluice.shm.ring;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.memory.Memory;

/**
 * Small rings for states: jcstress makes them by the thousand, and memory outside the heap that each had to wait for
 * the collector would run out. A slot is used again when its last user has said that it is done.
 */
final class StressMemory {
    /** A ring that a state can afford. */
    static final RingSize SIZE = new RingSize(32, 512);

    private static final int SLOTS = 1 << 14;
    private static final int SLOT_BYTES = 4096;
    private static final StressMemory OF_THIS_TEST = new StressMemory();

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES + SLOT_BYTES);
    private final Slot[] slots = new Slot[SLOTS];
    private int next;

    /** One state's memory; jcstress estimates a state's cost by the heap it takes, so the slot weighs as much there. */
    static final class Slot {
        private final byte[] ballast = new byte[2 * SLOT_BYTES];
        private final AtomicInteger users;
        final long address;

        private Slot(long address, int users) {
            this.address = address;
            this.users = new AtomicInteger(users);
        }

        /** Said once by each actor and arbiter. */
        void done() {
            users.decrementAndGet();
        }
    }

    /** A ring that is all zero, with room for a doorbell and a wait word behind it. */
    static Slot take(int users) {
        return OF_THIS_TEST.next(users);
    }

    private synchronized Slot next(int users) {
        int index = next++ & SLOTS - 1;
        if (slots[index] != null && slots[index].users.get() != 0) {
            throw new IllegalStateException("more states live at once than there is memory for: " + SLOTS);
        }
        long address = Memory.address(memory) + SLOT_BYTES - 1 & -SLOT_BYTES;
        slots[index] = new Slot(address + (long) index * SLOT_BYTES, users);
        Memory.setZero(slots[index].address, SLOT_BYTES);
        return slots[index];
    }

    /** Where a doorbell or a wait word can be, behind the ring. */
    static long behindRing(Slot slot) {
        return slot.address + SIZE.bytes();
    }
}
