package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;

/** Messages above 2 GB, whose lengths no int holds. */
@Tag("long")
final class HugeMessageTest {
    private static final long LONGS = (1L << 28) + 3;
    private static final long BYTES = LONGS * Long.BYTES;

    @Tag("all")
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void inMessageBuffers(String channel) {
        long free = new File("/dev/shm").getUsableSpace();
        assumeTrue(
                channel.equals("threads") || free > 3 * BYTES,
                "two buffers of " + BYTES + " bytes need more than the " + free + " free in /dev/shm");
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", channel))) {
            job.run(
                    120,
                    device -> {
                        try (MessageBuffer buffer = device.allocate(BYTES)) {
                            for (long at = 0; at < BYTES; at += 1 << 20) {
                                buffer.putLong(at, at);
                            }
                            buffer.putLong(BYTES - 8, 42);
                            device.send(buffer, 1, 1);
                            device.send(buffer, 1, 2);
                        }
                    },
                    device -> {
                        try (MessageBuffer buffer = device.allocate(BYTES)) {
                            assertEquals(BYTES, device.recv(buffer, 0, 1).bytes());
                            for (long at = 0; at < BYTES; at += 1 << 20) {
                                assertEquals(at, buffer.getLong(at));
                            }
                            assertEquals(42, buffer.getLong(BYTES - 8));
                        }
                        takeInPlace(device);
                    });
        }
    }

    /** Touches a few pages only, so that it runs always. */
    @Test
    void inPlace() {
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "threads"))) {
            job.run(
                    120,
                    device -> {
                        try (MessageBuffer buffer = device.allocate(BYTES)) {
                            buffer.putLong(BYTES - 8, 42);
                            device.send(buffer, 1, 2);
                        }
                    },
                    HugeMessageTest::takeInPlace);
        }
    }

    private static void takeInPlace(Device device) {
        try (Lease lease = device.recvInPlace(0, 2)) {
            assertTrue(lease.inPlace());
            assertEquals(BYTES, lease.bytes());
            assertEquals(42, lease.getLong(BYTES - 8));
            assertEquals(42, lease.buffer(BYTES - 8, 8).getLong());
        }
    }

    @Tag("all")
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void inArrays(String channel) {
        long heap = Runtime.getRuntime().maxMemory();
        assumeTrue(
                heap > 3 * BYTES,
                "two arrays of " + BYTES + " bytes don't fit into a heap of " + heap
                        + ": give Maven -Dtest.jvm.heap=-Xmx7g");
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", channel))) {
            job.run(
                    120,
                    device -> {
                        long[] values = new long[(int) LONGS];
                        values[values.length - 1] = 42;
                        device.send(values, 1, 1);
                    },
                    device -> {
                        long[] values = new long[(int) LONGS];
                        assertEquals(LONGS, device.recv(values, 0, 1).count());
                        assertEquals(42, values[values.length - 1]);
                    });
        }
    }
}
