package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Real moves between real cores; the thread's own cores are as before whatever fails. */
@Timeout(60)
final class HomeCoreTest {
    private static final int LOOK = 16;

    private final OsCalls os = Os.calls();
    private final long[] before = new long[OsCalls.MASK_WORDS];
    private int[] cores;

    @BeforeEach
    void twoCores() {
        assumeTrue(Os.available(), "the native library is not there");
        assertEquals(0, os.schedGetaffinity(0, before));
        cores = BitSet.valueOf(before).stream().toArray();
        assumeTrue(cores.length >= 2, "moving takes two cores, and this thread may use " + cores.length);
    }

    @AfterEach
    void free() {
        os.schedSetaffinity(0, before);
    }

    private void assertFree() {
        long[] now = new long[OsCalls.MASK_WORDS];
        assertEquals(0, os.schedGetaffinity(0, now));
        assertArrayEquals(before, now);
    }

    /** Binds and lets go: the kernel leaves a running thread where it is unless it has a reason. */
    private void goTo(int core) {
        assertEquals(0, os.schedSetaffinity(0, mask(core)));
        assertEquals(0, os.schedSetaffinity(0, before));
    }

    private static long[] mask(int core) {
        BitSet set = new BitSet();
        set.set(core);
        return set.toLongArray();
    }

    private static void yields(HomeCore home, int times) {
        for (int i = 0; i < times; i++) {
            home.afterYield();
        }
    }

    @Test
    void whoYieldsComesHomeAndStaysFree() {
        int arrived = 0;
        int tries = 20;
        for (int i = 0; i < tries; i++) {
            int home = cores[i % 2];
            goTo(cores[1 - i % 2]);
            yields(new HomeCore(os, home), LOOK);
            arrived += os.schedGetcpu() == home ? 1 : 0;
            assertFree();
        }
        assertTrue(arrived > tries / 2, arrived + " of " + tries + " moves led home");
    }

    @Test
    void whoIsMovedAwayAgainAndAgainGivesInMostOfTheTime() {
        FailingOs counting = FailingOs.failing(os, "schedSetaffinity", Long.MAX_VALUE, Errno.EPERM);
        HomeCore home = new HomeCore(counting, cores[0]);
        long start = System.nanoTime();
        while (System.nanoTime() - start < 250_000_000) {
            goTo(cores[1]);
            yields(home, LOOK);
        }
        long most = (System.nanoTime() - start) / 100_000_000 + 1;
        assertTrue(
                counting.callCount() >= 2 && counting.callCount() <= 2 * most,
                counting.callCount() + " calls for at most " + most + " moves");
    }

    @Test
    void whoHasNoHomeOrMayNotGoThereStays() {
        FailingOs counting = FailingOs.failing(os, "schedSetaffinity", Long.MAX_VALUE, Errno.EPERM);
        yields(new HomeCore(counting, HomeCore.NONE), 10 * LOOK);
        assertEquals(0, os.schedSetaffinity(0, mask(cores[1])));
        yields(new HomeCore(counting, cores[0]), 10 * LOOK);
        yields(new HomeCore(counting, OsCalls.MASK_WORDS * Long.SIZE - 1), 10 * LOOK);
        assertEquals(0, counting.callCount());
        assertEquals(cores[1], os.schedGetcpu());
    }

    @Test
    void aCallThatFailsLeavesTheThreadFree() {
        for (String call : List.of("schedGetaffinity", "schedSetaffinity", "schedGetcpu")) {
            for (int failing = 1; failing <= 3; failing++) {
                goTo(cores[1]);
                yields(new HomeCore(FailingOs.failing(os, call, failing, Errno.EINVAL), cores[0]), 3 * LOOK);
                long[] now = new long[OsCalls.MASK_WORDS];
                assertEquals(0, os.schedGetaffinity(0, now));
                BitSet lost = BitSet.valueOf(before);
                lost.andNot(BitSet.valueOf(now));
                assertTrue(
                        lost.isEmpty(),
                        "after call " + failing + " of " + call + " failed, cores " + lost + " are lost");
            }
        }
    }

    @Test
    void neighboursShareACoreAndAllCoresGetAsMany() {
        List<String> four = Collections.nCopies(4, "0-1");
        assertEquals(
                List.of(0, 0, 1, 1),
                IntStream.range(0, 4).mapToObj(i -> AllowedCores.home(four, i)).toList());
        List<String> seven = Collections.nCopies(7, "3,8-9");
        assertEquals(
                List.of(3, 3, 3, 8, 8, 9, 9),
                IntStream.range(0, 7).mapToObj(i -> AllowedCores.home(seven, i)).toList());
    }

    @Test
    void ranksWithCoresEnoughOrOfTheirOwnOrUnknownHaveNoHome() {
        assertEquals(HomeCore.NONE, AllowedCores.home(List.of("0-1", "0-1"), 0));
        assertEquals(HomeCore.NONE, AllowedCores.home(List.of("0", "1", "0", "1"), 3));
        assertEquals(HomeCore.NONE, AllowedCores.home(List.of("", "", ""), 1));
    }
}
