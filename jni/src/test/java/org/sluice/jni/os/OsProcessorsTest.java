package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;

final class OsProcessorsTest {

    private final OsCalls os = Os.calls();

    @Test
    void bindsAThreadAndLetsItGo() {
        long[] before = new long[OsCalls.MASK_WORDS];
        assertEquals(0, os.schedGetaffinity(0, before));
        int cpu = os.schedGetcpu();
        assertTrue((before[cpu / Long.SIZE] >>> cpu & 1) == 1, "processor " + cpu + " is not in our mask");
        long[] one = new long[OsCalls.MASK_WORDS];
        one[cpu / Long.SIZE] = 1L << cpu;
        try {
            assertEquals(0, os.schedSetaffinity(os.gettid(), one));
            assertEquals(cpu, os.schedGetcpu());
            long[] now = new long[OsCalls.MASK_WORDS];
            assertEquals(0, os.schedGetaffinity(0, now));
            assertArrayEquals(one, now);
        } finally {
            assertEquals(0, os.schedSetaffinity(0, before));
        }
    }

    @Test
    void refusesMasksThatSayNothing() {
        assertEquals(-Errno.EINVAL, os.schedSetaffinity(0, new long[OsCalls.MASK_WORDS]));
        assertEquals(-Errno.EINVAL, os.schedSetaffinity(0, new long[OsCalls.MASK_WORDS + 1]));
        assertEquals(-Errno.EINVAL, os.schedSetaffinity(0, new long[0]));
        assertEquals(-Errno.EINVAL, os.schedSetaffinity(0, null));
        assertEquals(-Errno.EINVAL, os.schedSetaffinity(-1, new long[] {1}));
        assertEquals(-Errno.EINVAL, os.schedGetaffinity(0, null));
        assertEquals(-Errno.EINVAL, os.schedGetaffinity(0, new long[OsCalls.MASK_WORDS + 1]));
        assertEquals(-Errno.ESRCH, os.schedGetaffinity(Integer.MAX_VALUE, new long[OsCalls.MASK_WORDS]));
    }

    @Test
    void fencesOtherProcesses() {
        int commands = os.membarrier(OsCalls.MEMBARRIER_QUERY);
        Assumptions.assumeTrue(commands > 0, "membarrier: " + Errno.name(commands));
        Assumptions.assumeTrue((commands & OsCalls.MEMBARRIER_GLOBAL_EXPEDITED) != 0, "the kernel is older than 4.16");
        assertEquals(0, os.membarrier(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED));
        assertEquals(0, os.membarrier(OsCalls.MEMBARRIER_GLOBAL_EXPEDITED));
        assertEquals(-Errno.EINVAL, os.membarrier(1 << 30));
        assertEquals(-Errno.EINVAL, os.membarrier(-1));
    }
}
