package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** What a message on a persistent route costs once all is warm, however long messages go otherwise. */
@Tag("verbs")
final class RouteCountsRxeTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int BYTES = 100_000;
    private static final int SLOTS = 4;
    private static final int ROUNDS = 20;

    /** Signs of life are work requests too, so none are asked for. */
    private static DeviceJob open(String rendezvous) {
        return DeviceJob.open(
                2,
                Map.of("sluice.channels", "ib", "sluice.peer.check.ms", "60000", "sluice.ib.rendezvous", rendezvous));
    }

    /** Messages there and back, each on a route of its own. */
    private interface Step {
        void run(Device device, PersistentRoute route, boolean isSending);
    }

    private static void both(Device device, PersistentRoute route, Step step) {
        step.run(device, route, device.rank() == 0);
        step.run(device, route, device.rank() == 1);
    }

    /** Credit packets apart, which belong to no message. */
    private static long[] counts(Device device) {
        Map<String, Long> counters = device.counters();
        long credits = counters.get("credit.packets");
        return new long[] {
            counters.get("work.requests") - credits,
            counters.get("native.crossings") - credits,
            counters.get("registrations"),
            counters.get("copied.bytes"),
            counters.get("sent.by.route"),
            counters.get("route.slots.exceeded"),
            counters.get("in.place")
        };
    }

    /** @return what each of the counts grew by in all rounds */
    private static void assertCosts(DeviceJob job, long copiedBytes, long inPlace, Step step) {
        job.runAll(device -> {
            try (PersistentRoute route = device.openRoute(1 - device.rank(), 1, BYTES, SLOTS)) {
                for (int i = 0; i < SLOTS; i++) {
                    both(device, route, step);
                }
                device.barrier();
                long[] before = counts(device);
                for (int i = 0; i < ROUNDS; i++) {
                    both(device, route, step);
                }
                long[] grown = counts(device);
                for (int i = 0; i < grown.length; i++) {
                    grown[i] -= before[i];
                }
                String all = java.util.Arrays.toString(grown);
                // A write and a packet for each message, and for each half of the slots one packet that says they are
                // free.
                assertEquals(2 * ROUNDS + ROUNDS / (SLOTS / 2), grown[0], all);
                assertEquals(grown[0], grown[1], "no call beside the posts: " + all);
                assertEquals(0, grown[2], "registrations: " + all);
                assertTrue(
                        grown[3] >= copiedBytes * ROUNDS && grown[3] < (copiedBytes + 200) * ROUNDS,
                        "copied beside the packets: " + all);
                assertEquals(ROUNDS, grown[4], all);
                assertEquals(0, grown[5], all);
                assertEquals(inPlace * ROUNDS, grown[6], all);
                device.barrier();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "write", "stream"})
    void twoWorkRequestsForEachMessageAndOneCopyAtTheReceiver(String rendezvous) {
        try (DeviceJob job = open(rendezvous);
                MessageBuffer zero = job.device(0).allocate(BYTES);
                MessageBuffer one = job.device(1).allocate(BYTES)) {
            MessageBuffer[] buffers = {zero, one};
            ByteBuffer[] into = {ByteBuffer.allocateDirect(BYTES), ByteBuffer.allocateDirect(BYTES)};
            assertCosts(job, BYTES, 0, (device, route, isSending) -> {
                if (isSending) {
                    route.send(buffers[device.rank()]);
                } else {
                    device.recv(into[device.rank()], route.dest(), 1);
                }
            });
        }
    }

    @Test
    void noCopyAtAllBetweenAMessageBufferAndALease() {
        try (DeviceJob job = open("read");
                MessageBuffer zero = job.device(0).allocate(BYTES);
                MessageBuffer one = job.device(1).allocate(BYTES)) {
            MessageBuffer[] buffers = {zero, one};
            assertCosts(job, 0, 1, (device, route, isSending) -> {
                if (isSending) {
                    buffers[device.rank()].putLong(800, 42);
                    route.send(buffers[device.rank()]);
                } else {
                    try (Lease lease = device.recvInPlace(route.dest(), 1)) {
                        assertEquals(42, lease.getLong(800));
                    }
                }
            });
        }
    }

    @Test
    void anArrayIsCopiedOnceAtEachEnd() {
        try (DeviceJob job = open("read")) {
            byte[][] from = {DeviceCases.pattern(1, BYTES), DeviceCases.pattern(2, BYTES)};
            byte[][] into = new byte[2][BYTES];
            assertCosts(job, 2 * BYTES, 0, (device, route, isSending) -> {
                if (isSending) {
                    route.send(from[device.rank()]);
                } else {
                    device.recv(into[device.rank()], route.dest(), 1);
                }
            });
            assertArrayEquals(from[0], into[1]);
            assertArrayEquals(from[1], into[0]);
        }
    }

    /** It is written in pieces, between which others go; which of two receives has ended first the device says. */
    @Test
    void aShortMessagePassesALongOne() {
        int longBytes = 32 << 20;
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "ib", "sluice.peek", "on"))) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.openRoute(1, 1, longBytes, 1);
                                PersistentRoute other = device.openRoute(1, 3, 8, 1);
                                MessageBuffer buffer = device.allocate(longBytes)) {
                            buffer.putLong(longBytes - 8, 42);
                            device.recv(null, 1, 9);
                            Request first = route.isend(buffer);
                            other.isend(new long[] {5}).waitFor();
                            device.send(new long[] {6}, 1, 2);
                            first.waitFor();
                            assertEquals(2, device.counters().get("sent.by.route"));
                            device.recv(null, 1, 9);
                        }
                    },
                    device -> {
                        ByteBuffer into = ByteBuffer.allocateDirect(longBytes).order(ByteOrder.nativeOrder());
                        Request last = device.irecv(into, 0, 1);
                        Request[] shorts = {device.irecv(new long[1], 0, 3), device.irecv(new long[1], 0, 2)};
                        device.send(null, 0, 9);
                        for (Request each : shorts) {
                            Request ended = device.peek(Duration.ofMinutes(1));
                            assertTrue(ended == shorts[0] || ended == shorts[1], each + " is passed by the long one");
                        }
                        assertSame(last, device.peek(Duration.ofMinutes(1)));
                        assertEquals(42, into.getLong(longBytes - 8));
                        device.send(null, 0, 9);
                    });
        }
    }

    /** The fewest bytes of several rounds: others may see a compilation or a park. */
    @Test
    void aMessageAllocatesNothing() {
        try (DeviceJob job = open("read")) {
            job.runAll(device -> {
                PersistentRoute route = device.openRoute(1 - device.rank(), 1, BYTES, SLOTS);
                ByteBuffer buffer = ByteBuffer.allocateDirect(20_000);
                long[] array = new long[100];
                Status status = new Status();
                long least = Long.MAX_VALUE;
                for (int round = 0; round < 8; round++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < 50; i++) {
                        Object message = i % 2 == 0 ? buffer : array;
                        if (device.rank() == 0) {
                            route.send(message);
                            device.recv(message, 1, 1, status);
                        } else {
                            device.recv(message, 0, 1, status);
                            route.send(message);
                        }
                    }
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                assertTrue(least <= 50, "100 messages allocate " + least + " bytes");
            });
        }
    }
}
