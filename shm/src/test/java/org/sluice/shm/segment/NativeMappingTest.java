package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.arena.Extent;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.OsCalls;

@Timeout(60)
class NativeMappingTest {
    private static final int BYTES = 4096;
    private static final int WARM_UP = 100_000;

    @Test
    void livesWithItsKeeperAndNotMuchLonger(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("mapped-natively"), new byte[BYTES]);
        SegmentFile file = SegmentFile.open(path, Segments.os());
        useAndForget(file, path);
        // Nothing but collecting tells the collector to collect.
        while (mappings(path) > 0) {
            System.gc();
            Thread.sleep(10);
        }
        // In which the JVM no longer counts: it would not survive it.
        System.gc();
        file.close();
    }

    @Test
    void whatIsGivenBackIsZerosToWhoIsLate(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("given-back"), new byte[BYTES]);
        SegmentFile file = SegmentFile.open(path, Segments.os());
        Extent extent = file.map(0, BYTES, true);
        Memory.putLong(extent.address(), 42);
        SegmentFile.giveBack(extent);
        assertEquals(0, mappings(path));
        assertEquals(0, Memory.getLong(extent.address()));
        Memory.putLong(extent.address(), 43);
        assertEquals(42, Files.readAllBytes(path)[0]);
        assertFalse(((NativeMapping) extent.keepAlive()).isLost());
        Reference.reachabilityFence(extent);
        file.close();
    }

    private static void useAndForget(SegmentFile file, Path path) throws IOException {
        Extent extent = file.map(0, BYTES, true);
        assertTrue(extent.keepAlive() instanceof NativeMapping);
        assertTrue(((NativeMapping) extent.keepAlive()).countCollections(extent.address()));
        System.gc();
        assertTrue(Memory.getLong(extent.address()) > 0);
        assertEquals(1, mappings(path));
        Memory.putLong(extent.address(), 42);
        assertEquals(42, Files.readAllBytes(path)[0]);
        Reference.reachabilityFence(extent);
    }

    @Test
    void whatTheKernelRefusesTheJdkTries(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("mapped"), new byte[BYTES]);
        OsCalls refusing = FailingOs.failing(Segments.os(), "mmapShared", 1, Errno.ENOMEM);
        SegmentFile file = SegmentFile.open(path, refusing);
        Extent extent = file.map(0, BYTES, true);
        assertTrue(extent.keepAlive() instanceof MappedByteBuffer);
        file.close();
    }

    /** Compiled or not: on JDK 17 the error of a compiled access would come later, and this test could not catch it. */
    @Test
    void aFileThatIsCutShortIsNoErrorOfTheJvm(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("cut"), new byte[BYTES]);
        SegmentFile file = SegmentFile.open(path, Segments.os());
        for (boolean writable : new boolean[] {true, false}) {
            file.reserve(0, BYTES);
            Extent extent = file.map(0, BYTES, writable);
            NativeMapping mapping = (NativeMapping) extent.keepAlive();
            long sum = 0;
            for (int i = 0; i < WARM_UP; i++) {
                sum += read(extent.address());
            }
            assertFalse(mapping.isLost());
            file.truncate(0);
            sum += read(extent.address());
            Memory.settle();
            assertEquals(0, sum);
            assertTrue(mapping.isLost());
        }
        file.close();
    }

    private static long read(long address) {
        return Memory.getLongVolatile(address) + Memory.getLong(address + BYTES / 2);
    }

    @Test
    void aMappingOfTheJdkStaysTheJvms(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("cut"), new byte[BYTES]);
        SegmentFile other = SegmentFile.open(path, Segments.os());
        Extent watched = other.map(0, BYTES, true);
        SegmentFile file = SegmentFile.open(path, FailingOs.failing(Segments.os(), "mmapShared", 1, Errno.ENOMEM));
        Extent extent = file.map(0, BYTES, true);
        file.truncate(0);
        assertTrue(HeaderCheck.touch(extent, 3).contains("segment of rank 3 was cut short"));
        assertFalse(((NativeMapping) watched.keepAlive()).isLost(), "nobody has touched it");
        file.close();
        other.close();
    }

    private static long mappings(Path path) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.endsWith(path.toString())).count();
        }
    }
}
