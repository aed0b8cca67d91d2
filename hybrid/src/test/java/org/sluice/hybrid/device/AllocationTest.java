package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * What calls allocate once everything is warm: blocking calls into a caller's Status nothing, others one small object.
 */
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SMALL_OBJECT_BYTES = 120;
    private static final int WARM_UP = 20_000;

    /** What a rank does again and again; the buffers are made before. */
    private interface Step {
        void run(Device device, Object buffer, Status status);

        /** A rank's buffer for all rounds. */
        default Object buffer(Device device, int size) {
            return new byte[size];
        }
    }

    /** Bytes that the fewest of several rounds allocate for one step: other rounds may see a compilation or a park. */
    private static double bytesPerStep(Device device, int size, int steps, Step step) {
        Object buffer = step.buffer(device, size);
        Status status = new Status();
        for (int i = 0; i < Math.max(300, WARM_UP / (1 + size / 4096)); i++) {
            step.run(device, buffer, status);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < steps; i++) {
                step.run(device, buffer, status);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return (double) least / steps;
    }

    private static void check(Map<String, String> options, int size, double limit, Step step) {
        Map<String, String> all = new HashMap<>(options);
        // What time brings is not what messages cost: no parks and no looks at the peers, however slow a busy machine
        // makes the steps.
        all.put("sluice.wait.yield.us", "1000000");
        all.put("sluice.peer.check.ms", "60000");
        try (DeviceJob job = DeviceJob.open(2, all)) {
            job.runAll(device -> {
                double bytes = bytesPerStep(device, size, 200, step);
                assertTrue(
                        bytes <= limit,
                        "a step with " + size + " bytes allocates " + bytes + " bytes, of at most " + limit);
            });
        }
    }

    private static final Step BLOCKING = (device, buffer, status) -> {
        int other = 1 - device.rank();
        if (device.rank() == 0) {
            device.send(buffer, other, 1);
            device.recv(buffer, other, 2, status);
        } else {
            device.recv(buffer, other, 1, status);
            device.send(buffer, other, 2);
        }
    };

    private static final Step REQUESTS = (device, buffer, status) -> {
        int other = 1 - device.rank();
        Request request;
        if (device.rank() == 0) {
            device.isend(buffer, other, 1).waitFor(status);
            request = device.irecv(buffer, other, 2);
        } else {
            device.irecv(buffer, other, 1).waitFor(status);
            request = device.isend(buffer, other, 2);
        }
        request.waitFor(status);
    };

    @Test
    void blockingCallsAllocateNothing() {
        for (int size : new int[] {8, 1 << 10, 64 << 10, 1 << 20}) {
            check(Map.of(), size, 1, BLOCKING);
            check(Map.of("sluice.channels", "shm"), size, 1, BLOCKING);
        }
    }

    /** The same steps with another kind of buffer. */
    private record With(BiFunction<Device, Integer, Object> kind, Step step) implements Step {
        @Override
        public void run(Device device, Object buffer, Status status) {
            step.run(device, buffer, status);
        }

        @Override
        public Object buffer(Device device, int size) {
            return kind.apply(device, size);
        }
    }

    @Test
    void blockingCallsWithMemoryOutsideTheHeapAllocateNothing() {
        for (int size : new int[] {8, 1 << 10, 64 << 10, 1 << 20}) {
            for (Map<String, String> options : List.of(Map.<String, String>of(), Map.of("sluice.channels", "shm"))) {
                check(options, size, 1, new With((device, bytes) -> ByteBuffer.allocateDirect(bytes), BLOCKING));
                // Given back with its device.
                check(options, size, 1, new With(Device::allocate, BLOCKING));
            }
        }
    }

    @Test
    void aRequestIsOneSmallObject() {
        for (int size : new int[] {8, 64 << 10}) {
            check(Map.of(), size, 2 * SMALL_OBJECT_BYTES, REQUESTS);
            check(Map.of("sluice.channels", "shm"), size, 2 * SMALL_OBJECT_BYTES, REQUESTS);
        }
    }

    /** What is out of its queue ends, also where there is no memory left. */
    @Test
    void takingARequestBackAllocatesNothing() {
        assertTakenBackForNothing(device -> device.irecv(new byte[8], 1, 1));
        assertTakenBackForNothing(device -> device.issend(new byte[8], 1, 1));
    }

    private static void assertTakenBackForNothing(Function<Device, Request> begin) {
        AtomicBoolean over = new AtomicBoolean();
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.peer.check.ms", "60000"))) {
            job.run(
                    device -> {
                        long least = Long.MAX_VALUE;
                        for (int i = 0; i < 2000; i++) {
                            Request request = begin.apply(device);
                            long before = THREADS.getCurrentThreadAllocatedBytes();
                            request.cancel();
                            while (!request.isDone()) {
                                Thread.onSpinWait();
                            }
                            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                            assertEquals(ErrorCode.CANCELLED, request.error());
                        }
                        over.set(true);
                        assertEquals(0, least, "bytes of the cheapest");
                    },
                    device -> {
                        while (!over.get()) {
                            if (!device.progress()) {
                                Thread.yield();
                            }
                        }
                    });
        }
    }

    private static final Step POLLS = (device, buffer, status) -> {
        int other = 1 - device.rank();
        assertNull(device.iprobe(other, 1));
        assertNull(device.improbe(other, 1));
    };

    @Test
    void pollsThatFindNothingAllocateNothing() {
        check(Map.of(), 0, 1, POLLS);
        check(Map.of("sluice.channels", "shm"), 0, 1, POLLS);
    }

    /** Each step has one receive. */
    private static final Step NEW_STATUS = (device, buffer, status) -> {
        int other = 1 - device.rank();
        if (device.rank() == 0) {
            device.send(buffer, other, 1);
        }
        Status received = device.recv(buffer, other, 1);
        if (device.rank() == 1) {
            device.send(buffer, other, 1);
        }
        assertEquals(other, received.source());
    };

    @Test
    void aStatusIsOneSmallObject() {
        for (int size : new int[] {8, 64 << 10}) {
            check(Map.of(), size, SMALL_OBJECT_BYTES, NEW_STATUS);
            check(Map.of("sluice.channels", "shm"), size, SMALL_OBJECT_BYTES, NEW_STATUS);
        }
    }

    /** A message and its answer, each of which calls a handler that reads it; the answer goes to all others. */
    private static final class Handled implements Step {
        private final int[] expected = new int[2];
        private final long[] handled = new long[2];

        @Override
        public void run(Device device, Object buffer, Status status) {
            int rank = device.rank();
            if (expected[rank]++ == 0) {
                device.handlers().register(1, (source, message) -> handled[source ^ 1] += 1 + message.getByte(0));
            }
            if (rank == 0) {
                device.handlers().syncSend(1, 1, buffer);
            }
            while (handled[rank] < expected[rank]) {
                device.progress();
            }
            if (rank == 1) {
                device.handlers().broadcast(1, buffer);
            }
        }
    }

    @Tag("all")
    @Test
    void messagesToHandlersAllocateNothing() {
        for (int size : new int[] {8, 1 << 10}) {
            check(Map.of(), size, 1, new Handled());
            check(Map.of("sluice.channels", "shm"), size, 1, new Handled());
        }
    }
}
