package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.CutFile;
import org.sluice.device.memory.Memory;

/**
 * The program's own buffer maps a file that somebody cut short: a call that blocks fails and says so, and the peer and
 * all other messages go on; of a request the device ends.
 */
interface LostBufferCases extends DeviceCases {
    /** Eager, just above, and in many pieces; one that is cut in its middle. */
    int[] LENGTHS = {1, 8, 60, 1000, 4096, 20_000, 70_000, LARGE, 5 << 20};
    /** Those of which a call that blocks has its own copy. */
    int[] COPIED = {1, 8, 60, 1000, 4096, 20_000, 70_000, 1 << 20};

    private static CutFile cutInTheMiddle(int bytes) {
        CutFile file = new CutFile(pattern(3, bytes));
        file.cut(bytes / 2 & -4096);
        return file;
    }

    @Test
    default void ofASendFromABufferThatIsGoneNothingGoes() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int bytes : COPIED) {
                            try (CutFile file = cutInTheMiddle(bytes)) {
                                SluiceException lost =
                                        assertFails(ErrorCode.BUFFER_LOST, () -> device.send(file.buffer(), 1, 1));
                                assertTrue(
                                        lost.getMessage().contains("MappedByteBuffer")
                                                || lost.getMessage().contains("DirectByteBuffer"),
                                        lost.getMessage());
                                assertFails(ErrorCode.BUFFER_LOST, () -> device.ssend(file.buffer(), 1, 1));
                                device.send(pattern(bytes, bytes), 1, 1);
                            }
                        }
                    },
                    device -> {
                        for (int bytes : COPIED) {
                            byte[] into = new byte[bytes];
                            device.recv(into, 0, 1);
                            assertArrayEquals(pattern(bytes, bytes), into, "the message behind");
                        }
                    });
            job.runAll(Device::barrier);
        }
    }

    @Test
    default void aReceiveIntoABufferThatIsGoneFailsAndItsMessageIsConsumed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int bytes : COPIED) {
                            device.send(pattern(1, bytes), 1, 1);
                            device.send(pattern(bytes, bytes), 1, 1);
                        }
                    },
                    device -> {
                        for (int bytes : COPIED) {
                            try (CutFile file = cutInTheMiddle(bytes)) {
                                SluiceException lost =
                                        assertFails(ErrorCode.BUFFER_LOST, () -> device.recv(file.buffer(), 0, 1));
                                assertEquals(0, lost.status().source());
                                assertEquals(bytes, lost.status().bytes(), "the message is consumed");
                            }
                            byte[] into = new byte[bytes];
                            device.recv(into, 0, 1);
                            assertArrayEquals(pattern(bytes, bytes), into, "the message behind");
                        }
                    });
            job.runAll(Device::barrier);
        }
    }

    @Test
    default void aMessageThatDoesNotFitIntoAFileIsTruncatedAsAnyOther() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            try (CutFile file = new CutFile(new byte[8])) {
                device.isend(pattern(1, 10), 0, 1);
                SluiceException longer = assertFails(ErrorCode.TRUNCATED, () -> device.recv(file.buffer(), 0, 1));
                assertEquals(10, longer.status().bytes());
                assertArrayEquals(pattern(1, 8), bytes(file.buffer()));
            }
        }
    }

    /** Compiled, the JVM reports such a fault late, and to whoever comes by. */
    @Test
    default void oneThatIsCutAfterManyMessagesFailsTheCallToo() {
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
    default void aFileThatGoesWhileARequestMovesItsMessageEndsTheDevice() {
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
                            assertFails(ErrorCode.DEVICE_FAILED, request::waitFor);
                        }
                        assertFails(ErrorCode.DEVICE_FAILED, () -> device.send(pattern(7, LARGE), 1, 2));
                    },
                    device -> {
                        Request request = device.irecv(new byte[bytes], 0, 1);
                        for (int i = 0; i < 10; i++) {
                            device.progress();
                        }
                        device.send(null, 0, 9);
                        assertTrue(cut.await(10, TimeUnit.SECONDS));
                        assertEquals(
                                0,
                                assertFails(ErrorCode.PEER_DEAD, request::waitFor)
                                        .peer());
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
                        }
                    },
                    device -> {
                        try (Lease lease = device.recvInPlace(0, 1)) {
                            device.recv(null, 0, 2);
                            byte[] got = new byte[LARGE];
                            lease.buffer().get(got);
                            assertArrayEquals(pattern(1, LARGE), got);
                        }
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
