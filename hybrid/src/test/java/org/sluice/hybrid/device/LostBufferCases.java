package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.CutFile;
import org.sluice.device.memory.Memory;

/**
 * The program's own buffer maps a file that somebody cut short: the request that uses it fails, and says so; the peer,
 * and all other messages, go on.
 */
interface LostBufferCases extends DeviceCases {
    /** Eager, just above, and in many pieces; one that is cut in its middle. */
    int[] LENGTHS = {1, 8, 60, 1000, 4096, 20_000, 70_000, LARGE, 5 << 20};

    private static SluiceException assertLost(Request request) {
        return assertFails(ErrorCode.BUFFER_LOST, request::waitFor);
    }

    private static CutFile cutInTheMiddle(int bytes) {
        CutFile file = new CutFile(pattern(3, bytes));
        file.cut(bytes / 2 & -4096);
        return file;
    }

    @Test
    default void aSendFromABufferThatIsGoneFailsAloneOnBothSides() {
        sendFromABufferThatIsGone();
    }

    @Test
    default void aSendThatTheKernelReadsFailsAloneOnBothSides() {
        sendFromABufferThatIsGone(byKernel());
    }

    private void sendFromABufferThatIsGone(String... options) {
        try (DeviceJob job = open(2, options)) {
            job.run(
                    device -> {
                        for (int bytes : LENGTHS) {
                            try (CutFile file = cutInTheMiddle(bytes)) {
                                SluiceException lost =
                                        assertFails(ErrorCode.BUFFER_LOST, () -> device.send(file.buffer(), 1, 1));
                                assertTrue(
                                        lost.getMessage().contains("MappedByteBuffer")
                                                || lost.getMessage().contains("DirectByteBuffer"),
                                        lost.getMessage());
                                Request first = device.isend(file.buffer(), 1, 1);
                                Request second = device.issend(file.buffer(), 1, 1);
                                Request good = device.isend(pattern(bytes, bytes), 1, 2);
                                assertLost(first);
                                assertLost(second);
                                good.waitFor();
                            }
                            device.send(null, 1, 3);
                            device.recv(null, 1, 4);
                        }
                    },
                    device -> {
                        for (int bytes : LENGTHS) {
                            Request[] lost = new Request[3];
                            for (int i = 0; i < lost.length; i++) {
                                lost[i] = device.irecv(new byte[bytes], i == 0 ? 0 : ANY_SOURCE, 1);
                            }
                            byte[] into = new byte[bytes];
                            device.recv(into, 0, 2);
                            assertArrayEquals(pattern(bytes, bytes), into, "the message behind");
                            device.recv(null, 0, 3);
                            for (Request each : lost) {
                                // What fits into a packet was not sent at all.
                                if (!each.cancel()) {
                                    SluiceException failure = assertLost(each);
                                    assertEquals(0, failure.peer());
                                    assertEquals(bytes, failure.status().bytes());
                                }
                            }
                            device.send(null, 0, 4);
                        }
                    });
            job.runAll(Device::barrier);
        }
    }

    @Test
    default void aReceiveIntoABufferThatIsGoneFailsAndItsMessageIsConsumed() {
        receiveIntoABufferThatIsGone();
    }

    @Test
    default void aReceiveThatTheKernelWritesFailsAndItsMessageIsConsumed() {
        receiveIntoABufferThatIsGone(byKernel());
    }

    /** Out of an array, a direct buffer and a message buffer; before and after the receive. */
    private void receiveIntoABufferThatIsGone(String... options) {
        try (DeviceJob job = open(2, options)) {
            job.run(
                    device -> {
                        for (int bytes : LENGTHS) {
                            ByteBuffer direct = ByteBuffer.allocateDirect(bytes)
                                    .put(pattern(1, bytes))
                                    .flip();
                            try (MessageBuffer buffer = device.allocate(bytes)) {
                                for (Object from : new Object[] {pattern(1, bytes), direct, buffer}) {
                                    device.recv(null, 1, 9);
                                    device.send(from, 1, 1);
                                    device.ssend(from, 1, 1);
                                    device.send(pattern(bytes, bytes), 1, 2);
                                    Request early = device.isend(from, 1, 5);
                                    device.send(null, 1, 6);
                                    early.waitFor();
                                }
                            }
                        }
                    },
                    device -> {
                        for (int bytes : LENGTHS) {
                            for (int kind = 0; kind < 3; kind++) {
                                receiveThemAll(device, bytes);
                            }
                        }
                    });
            job.runAll(Device::barrier);
        }
    }

    private static void receiveThemAll(Device device, int bytes) {
        try (CutFile file = cutInTheMiddle(bytes)) {
            Request first = device.irecv(file.buffer(), ANY_SOURCE, 1);
            device.send(null, 0, 9);
            SluiceException lost = assertLost(first);
            Status status = lost.status();
            assertEquals(0, status.source());
            assertEquals(bytes, status.bytes(), "the message is consumed");
            assertFails(ErrorCode.BUFFER_LOST, () -> device.recv(file.buffer(), 0, 1));
            byte[] into = new byte[bytes];
            device.recv(into, 0, 2);
            assertArrayEquals(pattern(bytes, bytes), into, "the message behind");
            device.recv(null, 0, 6);
            assertFails(ErrorCode.BUFFER_LOST, () -> device.mprobe(0, ANY_TAG).recv(file.buffer()));
        }
    }

    /** Compiled, the JVM reports such a fault late, and to whoever comes by. */
    @Test
    default void oneThatIsCutAfterManyMessagesFailsAloneToo() {
        int rounds = 20_000;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (CutFile file = new CutFile(pattern(1, 64))) {
                            for (int i = 0; i < rounds; i++) {
                                device.send(file.buffer(), 1, 1);
                                device.recv(file.buffer(), 1, 1);
                            }
                            assertArrayEquals(pattern(1, 64), bytes(file.buffer()));
                            file.cut(0);
                            for (int i = 0; i < 100; i++) {
                                assertFails(ErrorCode.BUFFER_LOST, () -> device.send(file.buffer(), 1, 1));
                                device.send(new byte[i % 65], 1, 1);
                                assertFails(ErrorCode.BUFFER_LOST, () -> device.recv(file.buffer(), 1, 1));
                            }
                            assertDoesNotThrow(Memory::settle);
                        }
                    },
                    device -> {
                        byte[] into = new byte[64];
                        for (int i = 0; i < rounds; i++) {
                            device.recv(into, 0, 1);
                            device.send(into, 0, 1);
                        }
                        for (int i = 0; i < 100; i++) {
                            if (options().containsKey("sluice.eager.limit.bytes")) {
                                // By rendezvous its description came; else nothing did.
                                assertFails(ErrorCode.BUFFER_LOST, () -> device.recv(into, 0, 1));
                            }
                            assertEquals(i % 65, device.recv(into, 0, ANY_TAG).bytes());
                            device.send(into, 0, 1);
                        }
                    });
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    @Test
    default void aFileThatGoesWhileItsMessageMovesEndsThatMessageAlone() {
        int bytes = 64 << 20;
        // Neither rank moves anything between the receiver's last round and the cut.
        CountDownLatch cut = new CountDownLatch(1);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (CutFile file = new CutFile(new byte[bytes])) {
                            Request request = device.isend(file.buffer(), 1, 1);
                            device.recv(null, 1, 9);
                            file.cut(bytes / 2);
                            cut.countDown();
                            assertLost(request);
                        }
                        device.send(pattern(7, LARGE), 1, 2);
                    },
                    device -> {
                        Request request = device.irecv(new byte[bytes], 0, 1);
                        for (int i = 0; i < 10; i++) {
                            device.progress();
                        }
                        device.send(null, 0, 9);
                        assertTrue(cut.await(10, TimeUnit.SECONDS));
                        assertEquals(0, assertLost(request).peer());
                        byte[] into = new byte[LARGE];
                        device.recv(into, 0, 2);
                        assertArrayEquals(pattern(7, LARGE), into);
                    });
        }
    }

    /** A program that reads a lease must not meet the pages of another's file. */
    @Test
    default void aLeaseOfAMessageOutOfAFileIsItsOwn() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (CutFile file = new CutFile(pattern(1, LARGE))) {
                            device.send(file.buffer(), 1, 1);
                            file.cut(0);
                            device.send(null, 1, 2);
                            assertFails(ErrorCode.BUFFER_LOST, () -> device.send(file.buffer(), 1, 1));
                        }
                    },
                    device -> {
                        try (Lease lease = device.recvInPlace(0, 1)) {
                            device.recv(null, 0, 2);
                            byte[] got = new byte[LARGE];
                            lease.buffer().get(got);
                            assertArrayEquals(pattern(1, LARGE), got);
                        }
                        assertFails(ErrorCode.BUFFER_LOST, () -> device.recvInPlace(0, 1));
                    });
            job.runAll(Device::barrier);
        }
    }

    @Test
    default void aBufferOfAFileThatIsWholeIsLikeAnyOther() {
        try (DeviceJob job = open(2, byKernel())) {
            job.run(
                    device -> {
                        for (int bytes : LENGTHS) {
                            try (CutFile file = new CutFile(pattern(bytes, bytes))) {
                                device.send(file.buffer(), 1, 1);
                                device.ssend(file.buffer(), 1, 1);
                                device.isend(file.buffer(), 1, 1).waitFor();
                                device.isend(file.buffer(), 0, 1, 1, 2, 0).waitFor();
                            }
                        }
                    },
                    device -> {
                        for (int bytes : LENGTHS) {
                            for (int i = 0; i < 3; i++) {
                                try (CutFile file = new CutFile(new byte[bytes])) {
                                    assertEquals(
                                            bytes,
                                            i == 0
                                                    ? device.recv(file.buffer(), 0, 1)
                                                            .bytes()
                                                    : device.irecv(file.buffer(), 0, 1)
                                                            .waitFor()
                                                            .bytes());
                                    assertArrayEquals(pattern(bytes, bytes), bytes(file.buffer()));
                                }
                            }
                            assertEquals(1, device.recv(new byte[bytes], 0, 2).bytes());
                        }
                    });
        }
    }
}
