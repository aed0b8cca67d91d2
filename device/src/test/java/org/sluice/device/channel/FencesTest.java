package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.memory.Memory;

/** Who pays for a fence, and that one of two who write and then look sees the other. */
@Timeout(60)
@Tag("conformance")
final class FencesTest {
    private static final int ROUNDS = 20_000;

    @Test
    void theRareSideFencesForBoth() {
        AtomicInteger everywhere = new AtomicInteger();
        Fences fences = Fences.asymmetric(everywhere::incrementAndGet);
        assertTrue(fences.isAsymmetric());
        for (int i = 0; i < 10; i++) {
            fences.afterPublish();
        }
        assertEquals(0, everywhere.get(), "a sender asks nobody");
        fences.beforeLook();
        fences.beforeLook();
        assertEquals(2, everywhere.get());
    }

    @Test
    void aFailureOfTheProcessWideFenceIsTold() {
        IllegalStateException cause = new IllegalStateException("no such call");
        Fences fences = Fences.asymmetric(() -> {
            throw cause;
        });
        IllegalStateException told = null;
        try {
            fences.beforeLook();
        } catch (IllegalStateException e) {
            told = e;
        }
        assertEquals(cause, told, "whoever goes on without the fence may sleep for ever");
    }

    /** Each writes its own word, fences, and reads the other's: without the fences both read 0 now and then. */
    @Test
    void oneOfTheTwoSeesTheOther() throws InterruptedException {
        assertFalse(Fences.SYMMETRIC.isAsymmetric());
        ByteBuffer memory = ByteBuffer.allocateDirect(5 * Memory.FALSE_SHARING);
        long published = Memory.address(memory) + Memory.FALSE_SHARING;
        long asleep = published + Memory.FALSE_SHARING;
        long round = asleep + Memory.FALSE_SHARING;
        int[] senderSaw = new int[ROUNDS];
        Thread sender = new Thread(() -> {
            for (int i = 1; i <= ROUNDS; i++) {
                while (Memory.getIntVolatile(round) != i) {
                    Thread.yield();
                }
                Memory.putIntRelease(published, i);
                Fences.SYMMETRIC.afterPublish();
                senderSaw[i - 1] = Memory.getIntVolatile(asleep) == i ? 1 : 0;
                Memory.putIntRelease(round + Long.BYTES, i);
            }
        });
        sender.start();
        int missed = 0;
        for (int i = 1; i <= ROUNDS; i++) {
            Memory.putIntRelease(round, i);
            Memory.putIntRelease(asleep, i);
            Fences.SYMMETRIC.beforeLook();
            boolean saw = Memory.getIntVolatile(published) == i;
            while (Memory.getIntVolatile(round + Long.BYTES) != i) {
                Thread.yield();
            }
            missed += !saw && senderSaw[i - 1] == 0 ? 1 : 0;
        }
        sender.join();
        Reference.reachabilityFence(memory);
        assertEquals(0, missed, "rounds of " + ROUNDS + " in which neither saw the other");
    }
}
