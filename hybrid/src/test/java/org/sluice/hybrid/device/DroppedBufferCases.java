package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.memory.NeedsUnsafe;

/** The program drops a buffer in flight and keeps the request: the memory stays until that is done, and no longer. */
interface DroppedBufferCases extends DeviceCases {
    int GO = 9;

    /** One that is collected as an object; of a message buffer that is what gives its memory back. */
    enum Kind {
        ARRAY {
            @Override
            Object make(Device device) {
                return pattern(ordinal(), LARGE);
            }
        },
        DIRECT {
            @Override
            Object make(Device device) {
                return ByteBuffer.allocateDirect(LARGE)
                        .put(pattern(ordinal(), LARGE))
                        .flip();
            }
        },
        MESSAGE {
            @Override
            Object make(Device device) {
                MessageBuffer buffer = device.allocate(LARGE);
                buffer.byteBuffer().put(pattern(ordinal(), LARGE));
                return buffer;
            }
        },
        /** Elastic, and of memory outside the heap. */
        BYTES {
            @Override
            Object make(Device device) {
                Bytes<?> bytes = Bytes.allocateElasticDirect(LARGE);
                bytes.write(pattern(ordinal(), LARGE));
                return bytes;
            }
        };

        abstract Object make(Device device);
    }

    /** What the program still has. */
    record InFlight(Request request, WeakReference<Object> buffer) {
        static InFlight begin(Device device, Kind kind, boolean sends) {
            Object buffer = kind.make(device);
            if (!sends && buffer instanceof Bytes<?> bytes) {
                bytes.clear();
            }
            int tag = kind.ordinal();
            return new InFlight(
                    sends ? device.isend(buffer, 1, tag) : device.irecv(buffer, 0, tag), new WeakReference<>(buffer));
        }

        static InFlight[] begin(Device device, boolean sends) {
            InFlight[] all = new InFlight[Kind.values().length];
            for (Kind kind : Kind.values()) {
                all[kind.ordinal()] = begin(device, kind, sends);
            }
            return all;
        }

        static void assertKept(InFlight[] all) {
            for (int round = 0; round < 3; round++) {
                collect(new WeakReference<>(ByteBuffer.allocateDirect(8)), "garbage");
                for (Kind kind : Kind.values()) {
                    assertNotNull(all[kind.ordinal()].buffer.get(), () -> "collected in flight: " + kind);
                }
            }
            for (InFlight each : all) {
                assertFalse(each.request.isDone(), () -> "not in flight: " + each);
            }
        }

        static void assertReleased(InFlight[] all) {
            for (Kind kind : Kind.values()) {
                InFlight each = all[kind.ordinal()];
                assertEquals(LARGE, each.request.waitFor().bytes());
                collect(each.buffer, kind.toString());
                assertTrue(each.request.isDone(), "the program has it still");
            }
        }

        private static void collect(WeakReference<?> dropped, String what) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (dropped.get() != null) {
                assertTrue(System.nanoTime() < deadline, () -> "never collected: " + what);
                System.gc();
            }
        }
    }

    @Test
    default void aDroppedBufferStaysUntilItIsSent() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        InFlight[] sent = InFlight.begin(device, true);
                        InFlight.assertKept(sent);
                        device.send(null, 1, GO);
                        InFlight.assertReleased(sent);
                    },
                    device -> {
                        device.recv(null, 0, GO);
                        for (Kind kind : Kind.values()) {
                            byte[] into = new byte[LARGE];
                            device.recv(into, 0, kind.ordinal());
                            assertArrayEquals(pattern(kind.ordinal(), LARGE), into);
                        }
                    });
        }
    }

    @Test
    default void aDroppedBufferStaysUntilItIsReceivedInto() {
        NeedsUnsafe.asChronicleDoes();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(null, 1, GO);
                        for (Kind kind : Kind.values()) {
                            device.send(new byte[LARGE], 1, kind.ordinal());
                        }
                    },
                    device -> {
                        InFlight[] received = InFlight.begin(device, false);
                        InFlight.assertKept(received);
                        device.send(null, 0, GO);
                        InFlight.assertReleased(received);
                    });
        }
    }
}
