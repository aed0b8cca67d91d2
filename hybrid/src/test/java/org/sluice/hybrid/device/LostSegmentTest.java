package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Somebody cuts a segment short, or writes over it, between what a sender did and what its receiver does: nobody gets
 * the zeros that take the place of lost pages for a message, and the peer is called corrupt, not gone.
 */
@Tag("once")
final class LostSegmentTest {
    private static final int PAGE = 4096;
    private static final int PAYLOAD = 64 << 10;
    /** The most that a packet has room for. */
    private static final int EAGER = PAYLOAD / 4;
    /**
     * Segment of two ranks: where the ring begins that leads here, and in it the word that says that memory is the
     * messages' no more.
     */
    private static final int WITHDRAWN_AT = 12288 + 132;

    private static final int RANK_AT = 24;

    @TempDir
    private Path folder;
    /** Of the job that was opened last. */
    private Path segments;

    private DeviceJob open(String... more) throws IOException {
        segments = Files.createTempDirectory(folder, "job");
        Map<String, String> options = new HashMap<>(Map.of(
                "sluice.channels",
                "shm",
                "sluice.shm.dir",
                segments.toString(),
                "sluice.shm.ring.cells",
                "64",
                "sluice.shm.ring.bytes",
                Integer.toString(PAYLOAD),
                "sluice.close.timeout.ms",
                "1000"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return DeviceJob.open(2, options);
    }

    private FileChannel segment(int rank) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : descriptors.toList()) {
                if (Files.isSymbolicLink(each) && Files.readSymbolicLink(each).startsWith(segments)) {
                    FileChannel file = FileChannel.open(each, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    ByteBuffer header = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
                    file.read(header, RANK_AT);
                    if (header.getInt(0) == rank) {
                        return file;
                    }
                    file.close();
                }
            }
        }
        throw new AssertionError("no segment of rank " + rank + " in " + segments);
    }

    private long bytes(int rank) throws IOException {
        try (FileChannel file = segment(rank)) {
            return file.size();
        }
    }

    private void cut(int rank, long bytes) throws IOException {
        try (FileChannel file = segment(rank)) {
            assertTrue(bytes < file.size(), "nothing to cut");
            file.truncate(bytes);
        }
    }

    /** How the message is received whose bytes are gone while what announces them is not. */
    enum Way {
        AT_ONCE {
            @Override
            void receive(Device device, byte[] into) {
                device.recv(into, 0, 1);
            }
        },
        BY_A_REQUEST {
            @Override
            void receive(Device device, byte[] into) {
                device.irecv(into, Device.ANY_SOURCE, 1).waitFor();
            }
        },
        FROM_THE_STORE {
            @Override
            void receive(Device device, byte[] into) {
                assertFails(ErrorCode.PEER_CORRUPT, () -> device.recv(new byte[1], 0, 2));
                device.recv(into, 0, 1);
            }
        };

        abstract void receive(Device device, byte[] into);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageWhoseBytesAreGoneIsNotReceived(Way way) throws IOException {
        try (DeviceJob job = open()) {
            Flag cut = job.flag();
            job.run(
                    device -> {
                        device.send(pattern(1, EAGER), 1, 1);
                        cut(1, bytes(1) - PAYLOAD + PAGE);
                        cut.raise();
                    },
                    device -> {
                        assertTrue(cut.await(20));
                        assertCut(1, assertFails(ErrorCode.PEER_CORRUPT, () -> way.receive(device, new byte[EAGER])));
                    });
        }
    }

    /** Of a long message that comes as a stream the last piece. */
    @Test
    void aStreamWhoseEndIsGoneIsNotReceived() throws IOException {
        int bytes = 2 * EAGER + 3 * PAGE;
        try (DeviceJob job = open()) {
            Flag sent = job.flag();
            Flag asked = job.flag();
            Flag cut = job.flag();
            job.run(
                    device -> {
                        Request send = device.isend(pattern(1, bytes), 1, 1);
                        sent.raise();
                        assertTrue(asked.await(20));
                        // The ring has room for all of it.
                        send.waitFor();
                        cut(1, bytes(1) - PAYLOAD + 2 * EAGER + PAGE);
                        cut.raise();
                    },
                    device -> {
                        assertTrue(sent.await(20));
                        Request receive = device.irecv(new byte[bytes], 0, 1);
                        for (int i = 0; i < 20; i++) {
                            assertNull(receive.test());
                        }
                        asked.raise();
                        assertTrue(cut.await(20));
                        assertCut(1, assertFails(ErrorCode.PEER_CORRUPT, receive::waitFor));
                    });
        }
    }

    /** What its sender's program had written is gone before it is copied or read. */
    @ParameterizedTest
    @ValueSource(ints = {8, 1000, EAGER, 100_000})
    void aMessageOutOfAMessageBufferThatIsGoneIsNotSent(int bytes) throws IOException {
        try (DeviceJob job = open()) {
            long withoutArena = bytes(0);
            job.run(
                    device -> {
                        MessageBuffer buffer = device.allocate(bytes);
                        buffer.byteBuffer().put(pattern(1, bytes));
                        cut(0, withoutArena);
                        assertCut(0, assertFails(ErrorCode.PEER_CORRUPT, () -> device.send(buffer, 1, 1)));
                        device.close();
                    },
                    device -> assertThrows(SluiceException.class, () -> device.recv(new byte[bytes], 0, 1)));
        }
    }

    /** Half of it was written where pages still were, which are zeros since. */
    @ParameterizedTest
    @ValueSource(ints = {2 * PAGE, 100_000})
    void aMessageBufferThatIsGoneReceivesNothing(int bytes) throws IOException {
        try (DeviceJob job = open()) {
            long withoutArena = bytes(1);
            Flag cut = job.flag();
            job.run(
                    device -> {
                        Request send = device.isend(pattern(1, bytes), 1, 1);
                        assertTrue(cut.await(20));
                        try {
                            send.waitFor();
                        } catch (SluiceException e) {
                            // A long one is not taken.
                            assertTrue(bytes > EAGER, e.toString());
                        }
                    },
                    device -> {
                        MessageBuffer buffer = device.allocate(bytes);
                        cut(1, withoutArena + PAGE);
                        cut.raise();
                        assertCut(1, assertFails(ErrorCode.PEER_CORRUPT, () -> device.recv(buffer, 0, 1)));
                        device.close();
                    });
        }
    }

    /** Three words can stand there; only a rank that closes or fails writes two of them. */
    @ParameterizedTest
    @ValueSource(ints = {3, -1, 1 << 24})
    void aWordThatNobodyWritesIsNoEndOfItsSender(int word) throws IOException {
        try (DeviceJob job = open("sluice.peer.check.ms", "60000")) {
            Flag written = job.flag();
            Flag received = job.flag();
            job.run(
                    device -> {
                        MessageBuffer buffer = device.allocate(100_000);
                        buffer.byteBuffer().put(pattern(1, 100_000));
                        Request send = device.isend(buffer, 1, 1);
                        try (FileChannel file = segment(0)) {
                            file.write(
                                    ByteBuffer.allocate(Integer.BYTES)
                                            .order(ByteOrder.nativeOrder())
                                            .putInt(0, word),
                                    WITHDRAWN_AT);
                        }
                        written.raise();
                        assertTrue(received.await(20));
                        // Its peer has cut it off, and close says so or waits in vain.
                        assertThrows(SluiceException.class, device::close);
                        assertThrows(SluiceException.class, send::waitFor);
                    },
                    device -> {
                        assertTrue(written.await(20));
                        SluiceException corrupt =
                                assertFails(ErrorCode.PEER_CORRUPT, () -> device.recv(new byte[100_000], 0, 1));
                        assertTrue(
                                corrupt.peer() == 0
                                        && corrupt.getMessage().contains(" is " + word + ", none of 0, 1 and 2"),
                                corrupt.getMessage());
                        received.raise();
                    });
        }
    }

    /** Of another rank of this JVM, whose mappings are counted together with these. */
    @Test
    void whoseSegmentIsWholeGoesOn() throws Exception {
        try (DeviceJob whole = open()) {
            aMessageWhoseBytesAreGoneIsNotReceived(Way.AT_ONCE);
            byte[] into = new byte[EAGER];
            whole.run(
                    device -> {
                        MessageBuffer buffer = device.allocate(EAGER);
                        buffer.byteBuffer().put(pattern(1, EAGER));
                        device.send(buffer, 1, 1);
                        device.recv(new byte[100_000], 1, 2);
                    },
                    device -> {
                        device.recv(into, 0, 1);
                        device.send(new byte[100_000], 0, 2);
                    });
            assertArrayEquals(pattern(1, EAGER), into);
        }
    }

    private static void assertCut(int rank, SluiceException failure) {
        assertTrue(failure.getMessage().contains("segment of rank " + rank + " was cut short"), failure.getMessage());
    }
}
