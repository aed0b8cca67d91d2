package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.jni.ChildJvm;
import org.sluice.jni.Errno;

final class OsArraysTest {

    private final OsCalls os = Os.calls();

    @Test
    void arraysAreReadWhereTheyLie() throws Exception {
        try (ChildJvm child = ChildJvm.start(ArraysProcess.class)) {
            assertEquals("done", child.readLine());
        }
    }

    /** As here, under -Xcheck:jni. */
    @Test
    void whereTheJvmHandsOutCopiesThereIsNoAddress() {
        byte[] array = new byte[8];
        assertEquals(-Errno.EOPNOTSUPP, os.arrayAddress(array));
        assertEquals(-Errno.EOPNOTSUPP, os.readIntoArray(os.getpid(), array, 0, 4096, 8));
        assertEquals(-Errno.EINVAL, os.arrayAddress(null));
        assertEquals(-Errno.EINVAL, os.countCollections(0));
        assertEquals(-Errno.EINVAL, os.endCounting(0));
    }

    @Test
    void collectionsAreCountedUntilTheEnd() throws Exception {
        try (SharedWords count = new SharedWords(os, 4096)) {
            long counting = os.countCollections(count.address());
            assertTrue(counting > 0, Errno.describe("countCollections", counting));
            System.gc();
            long counted = count.buffer().getLong(0);
            assertNotEquals(0, counted);
            assertEquals(0, os.endCounting(counting));
            counted = count.buffer().getLong(0);
            System.gc();
            assertEquals(counted, count.buffer().getLong(0));
        }
    }

    @ParameterizedTest
    @CsvSource({"G1, 1", "Parallel, 2", "Serial, 3", "Z, 0"})
    void theCollectorIsKnown(String name, int collector) throws Exception {
        try (ChildJvm child = ChildJvm.start(CollectorProcess.class, "-XX:+Use" + name + "GC")) {
            assertEquals("" + collector, child.readLine());
        }
    }
}
