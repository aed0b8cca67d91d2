package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.CutFile;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.OsCalls;

/** Kernel-assisted copy, between two ranks of this process: allowed wherever the call exists. */
final class KernelCopyTest {
    private static final int BYTES = 1_000_000;

    private final ByteBuffer theirs = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference reference = new RemoteReference();

    private boolean describes(OsCalls os, String... options) {
        TestRank[] ranks = Segments.open(2, Segments.options(options), os);
        boolean described =
                ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), BYTES, reference);
        for (TestRank each : ranks) {
            each.channel.close();
        }
        return described;
    }

    @Test
    void directMemoryIsReadByTheReceiver() {
        TestRank[] ranks = Segments.open(2, Segments.options("sluice.shm.cma.min.bytes", "1k"), Segments.os());
        byte[] content = new byte[BYTES];
        new Random().nextBytes(content);
        theirs.put(content);
        assertTrue(ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), BYTES, reference));
        assertEquals(SegmentChannel.PROCESS_MEMORY, reference.key);
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);
        assertEquals(
                GetResult.DONE,
                ranks[1].channel.reading().get(0, reference, 0, null, null, Memory.address(direct), BYTES, null));
        byte[] copy = new byte[BYTES];
        direct.get(copy);
        assertArrayEquals(content, copy);
        assertEquals(0, ranks[1].channel.sharing().addressInPlace(0, reference, BYTES));
        assertEquals(1, Segments.channel(ranks[1]).counters()[0].get(Counter.KERNEL_COPIES));
        assertTrue(Segments.channel(ranks[1]).counters()[0].get(Counter.NATIVE_CROSSINGS) >= 2);
        reference.set(SegmentChannel.PROCESS_MEMORY, 8, null);
        assertEquals(
                GetResult.BY_STREAM,
                ranks[1].channel.reading().get(0, reference, 0, null, null, Memory.address(direct), 100, null),
                "nothing is mapped at address 8: its owner finds out why");
        for (TestRank each : ranks) {
            each.channel.close();
        }
        Reference.reachabilityFence(theirs);
    }

    /** The kernel says EFAULT of either side. */
    @Test
    void whoseMemoryIsGoneIsFoundOut() {
        TestRank[] ranks = Segments.open(2, Segments.options("sluice.shm.cma.min.bytes", "1k"), Segments.os());
        byte[] array = new byte[BYTES];
        try (CutFile file = new CutFile(new byte[BYTES])) {
            long mapped = Memory.address(file.buffer());
            file.cut(BYTES / 2);
            ranks[0].channel.reading().describe(1, null, null, mapped, BYTES, reference);
            assertEquals(
                    GetResult.BY_STREAM,
                    ranks[1].channel.reading().get(0, reference, 0, null, null, Memory.address(theirs), BYTES, null));
            assertEquals(
                    GetResult.BY_STREAM,
                    ranks[1].channel
                            .reading()
                            .get(0, reference, 0, null, array, Memory.arrayOffset(array), BYTES, null));
            ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), BYTES, reference);
            assertEquals(
                    GetResult.TARGET_LOST,
                    ranks[1].channel.reading().get(0, reference, 0, file.buffer(), null, mapped, BYTES, null));
            assertEquals(
                    GetResult.DONE,
                    ranks[1].channel.reading().get(0, reference, 0, file.buffer(), null, mapped, BYTES / 2, null));
        }
        for (TestRank each : ranks) {
            each.channel.checkPeers(each.listener);
            assertEquals(0, each.listener.failures.size(), () -> "told " + each.listener.failures);
        }
        for (TestRank each : ranks) {
            each.channel.close();
        }
        Reference.reachabilityFence(theirs);
    }

    @Test
    void itIsForLargeMessagesAndOnlyWhereItWasTriedAndWorked() {
        assertTrue(describes(Segments.os(), "sluice.shm.cma.min.bytes", "" + BYTES));
        assertTrue(describes(Segments.os(), "sluice.shm.cma", "on"));
        assertTrue(describes(Segments.os()));
        assertFalse(describes(Segments.os(), "sluice.shm.cma.min.bytes", "" + (BYTES + 1)));
        assertFalse(describes(Segments.os(), "sluice.shm.cma", "off", "sluice.shm.cma.min.bytes", "1k"));
        assertFalse(describes(Segments.noOs(), "sluice.shm.cma.min.bytes", "1k"));
        OsCalls secondRefused = FailingOs.failing(Segments.os(), "processVmReadv", 2, Errno.EPERM);
        assertFalse(
                describes(secondRefused, "sluice.shm.cma.min.bytes", "1k"),
                "rank 1 can't read, so rank 0 must not rely on it");
    }

    /** The first two calls are the probes of both ranks. */
    @Test
    void whatTheSystemRefusesLaterIsStreamed() {
        for (int errno : new int[] {Errno.EPERM, Errno.ENOSYS, Errno.ENOMEM}) {
            OsCalls os = FailingOs.failing(Segments.os(), "processVmReadv", 3, errno);
            TestRank[] ranks = Segments.open(2, Segments.options("sluice.shm.cma.min.bytes", "1k"), os);
            assertTrue(ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), BYTES, reference));
            ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
            assertEquals(
                    GetResult.BY_STREAM,
                    ranks[1].channel.reading().get(0, reference, 0, null, null, Memory.address(into), BYTES, null));
            assertEquals(
                    GetResult.DONE,
                    ranks[1].channel.reading().get(0, reference, 0, null, null, Memory.address(into), BYTES, null));
            for (TestRank each : ranks) {
                each.channel.close();
            }
        }
    }

    @Test
    void onlyWhatIsNotAskedForByNameIsOnTrial() {
        for (String mode : new String[] {"auto", "on"}) {
            TestRank[] ranks = Segments.open(
                    2, Segments.options("sluice.shm.cma", mode, "sluice.shm.cma.min.bytes", "1k"), Segments.os());
            assertTrue(ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), BYTES, reference));
            assertEquals(mode.equals("auto"), ranks[1].channel.reading().isGetOnTrial(reference));
            assertEquals(KernelCopy.PIECE_BYTES, ranks[1].channel.reading().getBytes(reference));
            reference.set(SegmentChannel.ARENA, 0, null);
            assertFalse(ranks[1].channel.reading().isGetOnTrial(reference));
            for (TestRank each : ranks) {
                each.channel.close();
            }
        }
    }

    @Test
    void askedForByNameItsRefusalIsAnError() {
        SluiceException refusal =
                assertThrows(SluiceException.class, () -> describes(Segments.noOs(), "sluice.shm.cma", "on"));
        assertEquals(ErrorCode.OPEN_FAILED, refusal.code());
        assertTrue(
                refusal.getMessage().contains("process_vm_readv")
                        && refusal.getMessage().contains("ENOSYS"),
                refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> describes(Segments.os(), "sluice.shm.cma", "perhaps"));
    }
}
