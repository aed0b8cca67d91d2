package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.OsCalls;

/**
 * Arrays of one rank of this process that another reads: of a JVM of its own, as the tests' hands out copies of arrays.
 * Prints "done".
 */
final class HeapArrayChecks {
    private static final int BYTES = 600_000;
    private static final int SKIPPED = 8;

    private final byte[] theirs = new byte[BYTES];
    private final RemoteReference reference = new RemoteReference();
    private TestRank[] ranks = {};

    public static void main(String[] args) {
        HeapArrayChecks checks = new HeapArrayChecks();
        new Random(7).nextBytes(checks.theirs);
        checks.anArrayIsReadIntoArraysAndDirectMemory();
        checks.directMemoryIsReadIntoAnArray();
        checks.whatACollectionMayHaveMovedIsNotTaken();
        checks.aCountOfNobodysIsNotTaken();
        checks.whatTheSystemRefusesLaterIsStreamed();
        checks.whoCannotCountOrAskForTheAddressHasItStreamed();
        checks.close();
        System.out.println("done");
    }

    private void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private boolean describes(OsCalls os, String... options) {
        close();
        ranks = Segments.open(2, Segments.options(options), os);
        return describesAgain();
    }

    private boolean describesAgain() {
        return ranks[0].channel
                .reading()
                .describe(1, null, theirs, Memory.arrayOffset(theirs) + SKIPPED, BYTES - SKIPPED, reference);
    }

    private GetResult read(Object base, long address) {
        return ranks[1].channel.reading().get(0, reference, 0, null, base, address, BYTES - SKIPPED, null);
    }

    private long count(Counter counter) {
        return Segments.channel(ranks[1]).counters()[0].get(counter);
    }

    private void anArrayIsReadIntoArraysAndDirectMemory() {
        assertTrue(describes(Segments.os()));
        assertTrue(ranks[1].channel.reading().isGetOnTrial(reference));
        assertEquals(OsCalls.SECTION_BYTES, ranks[1].channel.reading().getBytes(reference));
        byte[] expected = Arrays.copyOfRange(theirs, SKIPPED, BYTES);
        long[] longs = new long[BYTES / Long.BYTES];
        while (read(longs, Memory.arrayOffset(longs) + Long.BYTES) != GetResult.DONE) {
            assertTrue(describesAgain(), "a collection came between");
        }
        byte[] copy = new byte[BYTES - SKIPPED];
        Memory.copy(longs, Memory.arrayOffset(longs) + Long.BYTES, copy, Memory.arrayOffset(copy), copy.length);
        assertEquals(0, longs[0]);
        assertArrayEquals(expected, copy);
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES - SKIPPED);
        while (read(null, Memory.address(direct)) != GetResult.DONE) {
            assertTrue(describesAgain(), "a collection came between");
        }
        direct.get(copy);
        assertArrayEquals(expected, copy);
        assertEquals(2, count(Counter.ARRAY_PIECES));
        Reference.reachabilityFence(direct);
    }

    private void directMemoryIsReadIntoAnArray() {
        close();
        ranks = Segments.open(2, Segments.options(), Segments.os());
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES).put(theirs);
        assertTrue(ranks[0].channel.reading().describe(1, null, null, Memory.address(direct), BYTES, reference));
        byte[] into = new byte[BYTES - SKIPPED];
        assertEquals(GetResult.DONE, read(into, Memory.arrayOffset(into)));
        assertEquals(-1, Arrays.mismatch(theirs, 0, into.length, into, 0, into.length));
        assertEquals(0, count(Counter.ARRAY_PIECES));
        assertEquals(1, count(Counter.KERNEL_COPIES));
        Reference.reachabilityFence(direct);
    }

    private void whatACollectionMayHaveMovedIsNotTaken() {
        assertTrue(describes(Segments.os()));
        System.gc();
        byte[] into = new byte[BYTES - SKIPPED];
        assertEquals(GetResult.BY_STREAM, read(into, Memory.arrayOffset(into)));
        assertEquals(1, count(Counter.ARRAYS_MOVED));
        assertEquals(0, count(Counter.ARRAY_PIECES));
        assertEquals(0, count(Counter.KERNEL_COPIES), "nothing was read");
    }

    private void aCountOfNobodysIsNotTaken() {
        close();
        ranks = Segments.open(2, Segments.options(), Segments.os());
        byte[] into = new byte[BYTES - SKIPPED];
        for (long count : new long[] {1, 1000, -1}) {
            reference.set(SegmentChannel.HEAP_ARRAY | count << 3, 4096, null);
            assertEquals(GetResult.BY_STREAM, read(into, Memory.arrayOffset(into)));
        }
        reference.set(SegmentChannel.HEAP_ARRAY, 4096, null);
        assertEquals(GetResult.FAILED, read(into, Memory.arrayOffset(into)), "there is no such key");
    }

    /** The kernel lets this process read no more, in the middle of a message; or anything else goes wrong with it. */
    private void whatTheSystemRefusesLaterIsStreamed() {
        for (int errno : new int[] {Errno.EPERM, Errno.ENOSYS, Errno.ENOMEM, Errno.EFAULT, Errno.EOPNOTSUPP}) {
            assertTrue(describes(FailingOs.failing(Segments.os(), "readIntoArray", 2, errno)));
            byte[] into = new byte[BYTES - SKIPPED];
            assertEquals(GetResult.BY_STREAM, read(into, Memory.arrayOffset(into)), Errno.name(errno));
            while (read(into, Memory.arrayOffset(into)) != GetResult.DONE) {
                assertTrue(describesAgain(), "a collection came between");
            }
        }
    }

    private void whoCannotCountOrAskForTheAddressHasItStreamed() {
        assertFalse(describes(FailingOs.failing(Segments.os(), "countCollections", 1, Errno.EOPNOTSUPP)));
        assertFalse(describesAgain(), "it is asked once");
        assertFalse(describes(FailingOs.failing(Segments.os(), "arrayAddress", 1, Errno.EOPNOTSUPP)));
        assertTrue(describesAgain());
        assertFalse(describes(Segments.os(), "sluice.shm.cma", "off"));
        assertFalse(describes(Segments.os(), "sluice.shm.cma.min.bytes", "" + BYTES));
        assertTrue(describes(Segments.os(), "sluice.shm.cma", "on"));
    }
}
