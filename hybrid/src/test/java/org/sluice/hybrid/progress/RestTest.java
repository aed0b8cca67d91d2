package org.sluice.hybrid.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;

/** What a leader does between two rounds that brought nothing, where the kernel moves its messages. */
final class RestTest {
    private final List<String> rests = new ArrayList<>();
    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);

    private final Sleeper sleeper = new Sleeper() {
        @Override
        public void sleep(WaitWord word, int sequence, long nanos) {
            rests.add("sleep");
        }

        @Override
        public void yieldCore() {
            assertTrue(lock.tryLock(), "it is not to be held meanwhile");
            lock.unlock();
            rests.add("yield");
        }
    };

    @Test
    void theLockIsFreeDuringANapAndHeldAgainBehindIt() {
        lock.lock();
        lock.nap(new Sleeper() {
            @Override
            public void sleep(WaitWord word, int sequence, long nanos) {
                sleeper.sleep(word, sequence, nanos);
            }

            @Override
            public void nap() {
                sleeper.yieldCore();
                rests.add("nap");
            }
        });
        assertFalse(lock.tryLock());
        lock.unlock();
        assertEquals(List.of("yield", "nap"), rests);
    }

    /** It would be a spin otherwise. */
    @Test
    void whoIsInterruptedYieldsInsteadAndStaysInterrupted() {
        lock.lock();
        Thread.currentThread().interrupt();
        lock.nap(sleeper);
        assertTrue(Thread.interrupted());
        lock.unlock();
        assertEquals(List.of("yield"), rests);
    }
}
