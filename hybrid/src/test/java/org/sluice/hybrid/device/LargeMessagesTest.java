package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/**
 * Large messages: out of direct buffers and arrays by the stream and by the kernel's copy, and what goes beside them.
 */
final class LargeMessagesTest {
    private static final int BYTES = 2 << 20;
    /** Of the thousand pieces or more of a huge message, each of which goes in a round of its own. */
    private static final int LEAST_EXCHANGES = 200;
    /** A heap of 1 GB has room for it three times. */
    private static final int HUGE = 128 << 20;

    private static long count(DeviceJob job, int rank, String counter) {
        return job.device(rank).counters().getOrDefault(counter, 0L);
    }

    /** Of this process, as both ranks are in it; a container's seccomp profile may forbid that too. */
    private static long bytesReadByTheKernel() {
        ByteBuffer from = ByteBuffer.allocateDirect(Long.BYTES);
        ByteBuffer into = ByteBuffer.allocateDirect(Long.BYTES);
        long read = Os.calls()
                .processVmReadv(
                        (int) ProcessHandle.current().pid(), Memory.address(into), Memory.address(from), Long.BYTES);
        Reference.reachabilityFence(from);
        return read;
    }

    /** Whichever way each of them goes: while both are tried, and then. */
    @Test
    void theyArriveWholeAndInOrderWhileTheFasterWayIsFoundOut() {
        assumeTrue(Os.available(), "the native library is not loaded");
        long allowed = bytesReadByTheKernel();
        assumeTrue(
                allowed == Long.BYTES, () -> "there is one way alone: " + Errno.describe("process_vm_readv", allowed));
        int rounds = 3;
        int count = rounds * 32;
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "shm"))) {
            ByteBuffer from =
                    ByteBuffer.allocateDirect(BYTES).put(pattern(5, BYTES)).flip();
            ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
            job.run(
                    120,
                    device -> {
                        for (int i = 0; i < count; i++) {
                            from.putInt(i % 500 * 4096, i);
                            device.send(from, 1, 1);
                            device.recv(null, 1, 2);
                        }
                    },
                    device -> {
                        for (int i = 0; i < count; i++) {
                            into.putInt(i % 500 * 4096, -1);
                            device.recv(into, 0, 1);
                            assertEquals(i, into.getInt(i % 500 * 4096));
                            device.send(null, 0, 2);
                        }
                    });
            assertEquals(-1, from.mismatch(into));
            long read = count(job, 1, "get.chosen");
            assertEquals(rounds, read + count(job, 1, "stream.chosen"), job::state);
            int pieces = BYTES / OsCalls.SECTION_BYTES;
            assertEquals(pieces * (4 * rounds + 24 * read), count(job, 1, "kernel.copies"), job::state);
            assertEquals(0, count(job, 0, "get.chosen") + count(job, 0, "stream.chosen"), "rank 0 received none");
        }
    }

    /**
     * Both ends copy at once: moved by turns, the receiver has pieces out while the sender has not copied in the last,
     * and no more than a ring's fill ahead.
     */
    @Test
    void theReceiverTakesTheFirstPieceBeforeTheSenderHasCopiedInTheLast() {
        int bytes = 8 << 20;
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "shm"))) {
            byte[] from = pattern(3, bytes);
            byte[] into = new byte[bytes];
            Request[] requests = new Request[2];
            // One thread moves both ranks, so that no clock decides who is ahead.
            job.run(device -> {
                requests[0] = job.device(0).isend(from, 1, 1);
                requests[1] = job.device(1).irecv(into, 0, 1);
                boolean hasOverlapped = false;
                long pieces = 0;
                while (!requests[1].isDone()) {
                    job.device(0).progress();
                    pieces = count(job, 0, "streamed.chunks");
                    assertTrue(
                            count(job, 0, "copied.bytes") <= count(job, 1, "copied.bytes") + (512 << 10),
                            "the sender is a ring ahead at most");
                    job.device(1).progress();
                    hasOverlapped |= count(job, 1, "copied.bytes") > 0
                            && !requests[0].isDone()
                            && count(job, 0, "copied.bytes") < bytes;
                }
                assertTrue(hasOverlapped, job::state);
                assertTrue(pieces > 1, job::state);
                requests[0].waitFor();
            });
            assertEquals(-1, java.util.Arrays.mismatch(from, into));
        }
    }

    /**
     * Eight bytes there and back.
     *
     * @return false when the large message was there before
     */
    private static boolean exchange(Device here, Device there, long number, Request large) {
        long[] asked = new long[1];
        long[] answered = new long[1];
        finish(here, there, here.isend(new long[] {number}, 1, 2), there.irecv(asked, 0, 2));
        finish(here, there, there.isend(new long[] {asked[0] + 1}, 0, 2), here.irecv(answered, 1, 2));
        assertEquals(number + 1, answered[0]);
        return !large.isDone();
    }

    private static void finish(Device here, Device there, Request sent, Request received) {
        while (!(sent.isDone() & received.isDone())) {
            here.progress();
            there.progress();
        }
    }

    private static MessageBuffer filled(MessageBuffer buffer) {
        buffer.byteBuffer().put(pattern(7, HUGE));
        return buffer;
    }

    /**
     * What makes progress moves a piece of each large message in each round, and comes back to what is short: exchanges
     * of those go on all the time.
     */
    @ParameterizedTest
    @CsvSource({"threads, false", "shm, false", "shm, true"})
    void shortMessagesGoOnWhileALargeOneMoves(String channel, boolean isOfMessageBuffer) {
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", channel))) {
            // One thread moves both ranks, so that the count is of rounds, and not of what a clock or a scheduler does.
            job.run(120, here -> {
                Device there = job.device(1);
                Object from = isOfMessageBuffer ? filled(here.allocate(HUGE)) : pattern(7, HUGE);
                byte[] into = new byte[HUGE];
                Request sent = here.isend(from, 1, 1);
                Request received = there.irecv(into, 0, 1);
                int exchanges = 0;
                while (exchange(here, there, exchanges, received)) {
                    exchanges++;
                }
                finish(here, there, sent, received);
                assertEquals(HUGE, received.waitFor().bytes());
                assertTrue(java.util.Arrays.equals(pattern(7, HUGE), into), "the bytes of the large message");
                int seen = exchanges;
                assertTrue(
                        seen >= LEAST_EXCHANGES,
                        () -> seen + " exchanges while " + HUGE + " bytes moved, of at least " + LEAST_EXCHANGES);
            });
        }
    }
}
