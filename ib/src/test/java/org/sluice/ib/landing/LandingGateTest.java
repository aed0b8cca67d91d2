package org.sluice.ib.landing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.PacketHeader;

/** When a sender may write, and when nobody is at it any more. */
final class LandingGateTest {
    private static final int BYTES = PacketHeader.BYTES + 8;
    private static final int ROUNDS = 5_000;

    private final LandingLayout layout = new LandingLayout(1200);
    private final LandingGate gate = new LandingGate(layout, false);
    private final ScriptedMemory adapter = new ScriptedMemory();
    private final AtomicInteger posted = new AtomicInteger();
    private volatile boolean isOver;
    private final long packet = Memory.allocate(layout.slotBytes());

    @AfterEach
    void free() {
        adapter.free();
        Memory.free(packet);
    }

    private boolean write() {
        if (!gate.enter(BYTES)) {
            return false;
        }
        adapter.fill(gate, packet, BYTES);
        gate.leave(true);
        return true;
    }

    @Test
    void onlyWhatIsReleasedIsWrittenAgain() {
        assertFalse(write(), "nothing was granted");
        gate.ring(64, 1);
        gate.open(true);
        for (int i = 0; i < LandingLayout.SLOTS; i++) {
            assertTrue(write());
        }
        assertFalse(write(), "it is full");
        assertFalse(gate.onReleased(-70_000), "nobody has said that before");
        assertFalse(gate.onReleased(LandingLayout.SLOTS + 1), "more than was written");
        assertTrue(gate.onReleased(3));
        assertTrue(gate.onReleased(2), "late news, and no news");
        assertTrue(gate.onReleased(3));
        assertTrue(write() && write() && write());
        assertFalse(write());
        assertTrue(gate.onReleased(LandingLayout.SLOTS + 3));
        gate.open(false);
        assertFalse(write());
        assertTrue(gate.isIdle());
    }

    @Test
    void whatTheLibraryRefusedTakesNoSlot() {
        gate.ring(64, 1);
        gate.open(true);
        assertTrue(gate.enter(BYTES));
        adapter.fill(gate, packet, BYTES);
        assertFalse(gate.isIdle());
        gate.leave(false);
        assertTrue(gate.isIdle());
        assertFalse(gate.onReleased(1), "nothing was written");
        assertTrue(write());
        assertEquals(1, adapter.immediate(), "the same number again");
        assertFalse(gate.enter(layout.slotBytes()), "longer than a slot");
        assertFalse(gate.enter(PacketHeader.BYTES - 1));
        assertTrue(gate.isIdle());
    }

    /** What the progress thread reads after the gate was closed and idle is what stays. */
    @Test
    void nothingIsWrittenAfterItWasClosedAndIdle() throws InterruptedException {
        gate.ring(64, 1);
        Thread sender = new Thread(() -> {
            while (!isOver) {
                if (gate.enter(BYTES)) {
                    adapter.fill(gate, packet, BYTES);
                    posted.incrementAndGet();
                    gate.leave(true);
                }
            }
        });
        sender.start();
        int useful = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int before = posted.get();
            assertTrue(gate.onReleased(before));
            gate.open(true);
            // Often the sender has no core now.
            for (int i = 0; i < 50 && posted.get() == before; i++) {
                Thread.yield();
            }
            gate.open(false);
            while (!gate.isIdle()) {
                Thread.onSpinWait();
            }
            int now = posted.get();
            useful += now > before ? 1 : 0;
            for (int i = 0; i < 50; i++) {
                if (posted.get() != now) {
                    throw new AssertionError("a packet was written in round " + round);
                }
            }
        }
        isOver = true;
        sender.join();
        assertTrue(useful > 0, "nothing was ever written");
    }
}
