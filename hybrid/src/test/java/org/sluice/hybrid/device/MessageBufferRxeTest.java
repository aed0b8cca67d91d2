package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;

/** What eager messages from message buffers cost over verbs, and messages that are read where they came. */
@Tag("verbs")
final class MessageBufferRxeTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BYTES = 4096;
    private static final int WINDOW = 8;
    private static final int WINDOWS = 10;
    private static final int SMALL_OBJECT_BYTES = 120;

    private static DeviceJob job(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(
                Map.of("sluice.channels", "ib", "sluice.peer.check.ms", "60000", "sluice.wait.yield.us", "1000000"));
        options.putAll(more);
        return DeviceJob.open(2, options);
    }

    private static MessageBuffer[] buffers(Device device, int bytes) {
        MessageBuffer[] buffers = new MessageBuffer[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            buffers[i] = device.allocate(bytes);
            buffers[i].byteBuffer().put(pattern(i, bytes));
            device.register(buffers[i]);
        }
        return buffers;
    }

    private static void sendWindows(Device device, MessageBuffer[] buffers) {
        Request[] sends = new Request[WINDOW];
        byte[] answer = new byte[1];
        for (int window = 0; window < WINDOWS; window++) {
            for (int i = 0; i < WINDOW; i++) {
                sends[i] = device.isend(buffers[i], 1, 3);
            }
            device.waitAll(sends);
            device.recv(answer, 1, 4);
        }
    }

    private static void receiveWindows(Device device) {
        Request[] receives = new Request[WINDOW];
        byte[][] into = new byte[WINDOW][BYTES];
        for (int window = 0; window < WINDOWS; window++) {
            for (int i = 0; i < WINDOW; i++) {
                receives[i] = device.irecv(into[i], 0, 3);
            }
            device.waitAll(receives);
            for (int i = 0; i < WINDOW; i++) {
                assertArrayEquals(pattern(i, BYTES), into[i]);
            }
            device.send(new byte[1], 0, 4);
        }
    }

    private static Map<String, Long> since(Map<String, Long> before, Device device) {
        Map<String, Long> now = device.counters();
        now.replaceAll((name, count) -> count - before.get(name));
        return now;
    }

    @Test
    void aMessageFromABufferIsOneWorkRequestAndNoCopy() {
        try (DeviceJob job = job(Map.of())) {
            MessageBuffer[] buffers = buffers(job.device(0), BYTES);
            // The first time connects, and borrows credit.
            job.run(device -> sendWindows(device, buffers), MessageBufferRxeTest::receiveWindows);
            Map<String, Long> before = job.device(0).counters();
            Map<String, Long> receiverBefore = job.device(1).counters();
            long[] allocated = new long[1];
            job.run(
                    device -> {
                        long start = THREADS.getCurrentThreadAllocatedBytes();
                        sendWindows(device, buffers);
                        allocated[0] = THREADS.getCurrentThreadAllocatedBytes() - start;
                    },
                    MessageBufferRxeTest::receiveWindows);
            Map<String, Long> sent = since(before, job.device(0));
            long messages = WINDOWS * WINDOW;
            System.out.println(
                    "MessageBufferRxeTest: " + sent + ", " + allocated[0] / messages + " bytes allocated for each");
            assertEquals(messages, sent.get("lent"));
            assertEquals(WINDOWS, sent.get("copies"), "of the answers");
            assertEquals(0, sent.get("registrations"));
            // Credit that was told in a packet of its own is no message's.
            long more = sent.get("credit.packets");
            assertEquals(messages + more, sent.get("work.requests"));
            assertEquals(messages + more, sent.get("native.crossings"));
            assertTrue(
                    allocated[0] <= messages * SMALL_OBJECT_BYTES,
                    allocated[0] + " bytes for " + messages + " requests");
            // One for each message, into the array; one for each answer; and what is told of the sender's share.
            long copies = since(receiverBefore, job.device(1)).get("copies");
            assertTrue(copies >= messages + WINDOWS && copies <= messages + WINDOWS + 3, copies + " copies");
            for (MessageBuffer buffer : buffers) {
                buffer.close();
            }
        }
    }

    @Test
    void aBlockingSendThatIsNotCopiedAllocatesNothing() {
        try (DeviceJob job = job(Map.of("sluice.ib.zerocopy.bytes", "256"))) {
            MessageBuffer[] buffers = buffers(job.device(0), BYTES);
            long[] least = {Long.MAX_VALUE};
            int count = 40;
            job.run(
                    device -> {
                        byte[] answer = new byte[1];
                        for (int round = 0; round < 8; round++) {
                            long before = THREADS.getCurrentThreadAllocatedBytes();
                            for (int i = 0; i < count; i++) {
                                device.send(buffers[i % WINDOW], 1, 3);
                            }
                            least[0] = Math.min(least[0], THREADS.getCurrentThreadAllocatedBytes() - before);
                            device.recv(answer, 1, 4);
                        }
                        assertEquals(8 * count, device.counters().get("lent"));
                        device.send(buffers[0], 0, 2040, 1, 3);
                        assertEquals(
                                8 * count,
                                device.counters().get("lent"),
                                "a shorter one is copied, as its sender waits");
                    },
                    device -> {
                        byte[] into = new byte[BYTES];
                        for (int round = 0; round < 8; round++) {
                            for (int i = 0; i < count; i++) {
                                device.recv(into, 0, 3);
                                assertArrayEquals(pattern(i % WINDOW, BYTES), into);
                            }
                            device.send(new byte[1], 0, 4);
                        }
                        device.recv(into, 0, 3);
                    });
            assertTrue(least[0] < count, least[0] + " bytes for " + count + " messages");
        }
    }

    /** What a program does that never heard of any of this. */
    @Test
    void shortMessagesAndMemoryThatIsUsedOnceAreCopied() {
        try (DeviceJob job = job(Map.of("sluice.ib.pool.limit.bytes", "0"))) {
            job.run(
                    device -> {
                        for (int i = 0; i < 30; i++) {
                            try (MessageBuffer buffer = device.allocate(BYTES)) {
                                device.isend(buffer, 0, 1000, 1, 3).waitFor();
                                device.send(buffer, 1, 3);
                            }
                        }
                        assertEquals(0, device.counters().get("lent"));
                        assertEquals(0, device.counters().get("registrations"));
                    },
                    device -> {
                        for (int i = 0; i < 60; i++) {
                            device.recv(new byte[BYTES], 0, 3);
                        }
                    });
        }
    }

    @Test
    void aBufferInFlightCannotBeClosedAndCloseWaitsForIt() {
        try (DeviceJob job = job(Map.of())) {
            MessageBuffer[] buffers = buffers(job.device(0), BYTES);
            job.run(
                    device -> {
                        Request[] sends = new Request[60];
                        for (int i = 0; i < sends.length; i++) {
                            sends[i] = device.isend(buffers[i % WINDOW], 1, 3);
                        }
                        assertThrows(IllegalStateException.class, buffers[3]::close);
                        device.close();
                        for (Request each : sends) {
                            assertEquals(BYTES, each.waitFor().bytes());
                        }
                        for (MessageBuffer buffer : buffers) {
                            buffer.close();
                        }
                    },
                    device -> {
                        byte[] into = new byte[BYTES];
                        for (int i = 0; i < 60; i++) {
                            device.recv(into, 0, 3);
                            assertArrayEquals(pattern(i % WINDOW, BYTES), into);
                        }
                    });
        }
    }

    @Test
    void nobodyCopiesAMessageThatIsTakenInPlace() {
        try (DeviceJob job = job(Map.of())) {
            MessageBuffer[] buffers = buffers(job.device(0), BYTES);
            job.run(
                    device -> {
                        for (int i = 0; i < 40; i++) {
                            device.isend(buffers[i % WINDOW], 1, 3).waitFor();
                        }
                        assertEquals(0, device.counters().get("copies"));
                    },
                    device -> {
                        for (int i = 0; i < 40; i++) {
                            try (Lease lease = device.recvInPlace(0, 3)) {
                                assertTrue(lease.inPlace());
                                byte[] got = new byte[BYTES];
                                lease.buffer().get(got);
                                assertArrayEquals(pattern(i % WINDOW, BYTES), got);
                            }
                        }
                        assertEquals(40, device.counters().get("in.place"));
                        assertEquals(0, device.counters().get("copies"));
                    });
        }
    }

    /** Of 32 slots a quarter is kept from the adapter at most. */
    @Test
    void beyondTheBoundALeaseIsOfACopyUntilOthersAreClosed() {
        try (DeviceJob job = job(Map.of("sluice.ib.slots", "32"))) {
            job.run(
                    device -> {
                        for (int i = 0; i < 30; i++) {
                            device.send(pattern(i, 500), 1, 3);
                        }
                        device.recv(null, 1, 9);
                        device.send(pattern(30, 500), 1, 3);
                    },
                    device -> {
                        Lease[] leases = new Lease[30];
                        int inPlace = 0;
                        for (int i = 0; i < 30; i++) {
                            leases[i] = device.recvInPlace(0, 3);
                            inPlace += leases[i].inPlace() ? 1 : 0;
                        }
                        assertEquals(8, inPlace);
                        assertTrue(device.counters().get("copies") >= 22);
                        for (int i = 0; i < 30; i++) {
                            byte[] got = new byte[500];
                            leases[i].buffer().get(got);
                            assertArrayEquals(pattern(i, 500), got);
                            leases[i].close();
                        }
                        device.send(null, 0, 9);
                        try (Lease last = device.recvInPlace(0, 3)) {
                            assertTrue(last.inPlace());
                        }
                    });
        }
    }

    /** A view that a program looks at longer than it may reads what it read before, as long as it has it. */
    @Test
    void memoryThatWasShownIsNotFreedWithTheDevice() {
        ByteBuffer view;
        try (DeviceJob job = job(Map.of())) {
            Lease[] leases = new Lease[1];
            job.run(device -> device.send(pattern(5, 5000), 1, 3), device -> leases[0] = device.recvInPlace(0, 3));
            view = leases[0].buffer();
            job.device(0).close();
            job.device(1).close();
            assertThrows(IllegalStateException.class, leases[0]::buffer);
        }
        System.gc();
        byte[] got = new byte[5000];
        view.get(got);
        assertArrayEquals(pattern(5, 5000), got);
    }
}
