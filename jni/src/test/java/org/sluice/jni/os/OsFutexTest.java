package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;

final class OsFutexTest {

    private static final long MILLISECOND = 1_000_000;
    private static final long LONG_NANOS = 60_000 * MILLISECOND;

    private final OsCalls os = Os.calls();
    private SharedWords words;

    @BeforeEach
    void mapWords() throws Exception {
        words = new SharedWords(os, 4096);
    }

    @AfterEach
    void unmapWords() {
        words.close();
    }

    @Test
    void doesNotSleepWhenTheWordHasChanged() {
        words.buffer().putInt(8, 3);
        assertEquals(-Errno.EAGAIN, os.futexWait(words.address() + 8, 2, LONG_NANOS));
    }

    @Test
    void timesOut() {
        long start = System.nanoTime();
        assertEquals(-Errno.ETIMEDOUT, os.futexWait(words.address(), 0, 30 * MILLISECOND));
        assertTrue(System.nanoTime() - start >= 30 * MILLISECOND, "slept too short");
    }

    @Test
    void oneThreadWakesAnother() throws Exception {
        CompletableFuture<Integer> sleeper =
                CompletableFuture.supplyAsync(() -> os.futexWait(words.address(), 0, LONG_NANOS));
        long deadline = System.nanoTime() + LONG_NANOS;
        int woken = 0;
        while (woken == 0 && System.nanoTime() < deadline) {
            woken = os.futexWake(words.address(), 1);
        }
        assertEquals(1, woken);
        assertEquals(0, sleeper.get(60, TimeUnit.SECONDS));
        assertEquals(0, os.futexWake(words.address(), 1));
    }

    @Test
    void refusesWhatIsNoWord() {
        assertEquals(-Errno.EINVAL, os.futexWait(words.address() + 1, 0, MILLISECOND));
        assertEquals(-Errno.EINVAL, os.futexWait(0, 0, MILLISECOND));
        assertEquals(-Errno.EINVAL, os.futexWait(words.address(), 0, -1));
        assertEquals(-Errno.EINVAL, os.futexWake(words.address() + 2, 1));
        assertEquals(-Errno.EINVAL, os.futexWake(words.address(), -1));
        assertEquals(0, os.futexWake(words.address(), 0));
        assertEquals(-Errno.EFAULT, os.futexWait(4096, 0, MILLISECOND));
    }
}
