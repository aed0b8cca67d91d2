package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.buffer.CutFile;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.memory.Memory;

/** A segment that is overwritten or cut short while in use: the peer is told to have failed, the process goes on. */
final class SegmentCorruptionTest {
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private SegmentChannel[] channels;
    private TestRank[] ranks;
    private Path file;
    private long bytes;

    @BeforeEach
    void open() {
        System.out.println("SegmentCorruptionTest seed " + seed);
        channels = Segments.create(
                2, Segments.options("sluice.shm.ring.cells", "64", "sluice.shm.ring.bytes", "16k"), Segments.os());
        Segments.connect(channels);
        ranks = Segments.ranks(channels);
        SegmentFacts facts = SegmentFacts.decode(1, channels[1].facts());
        file = Path.of(facts.path());
        bytes = facts.layout().bytes();
        ranks[0].send(1, 0, new byte[100]);
        ranks[1].receive();
    }

    @AfterEach
    void close() {
        for (SegmentChannel channel : channels) {
            channel.close();
        }
    }

    private void cut(long size) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(size);
        }
    }

    private void overwrite(long at, byte[] nonsense) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at);
            open.write(nonsense);
        }
    }

    @Test
    void whatIsWithdrawnIsToldToItsReaderAlone() {
        assertEquals(Withdrawn.NO, channels[0].withdrawn(1));
        channels[1].withdraw(0, Withdrawn.BY_FAILURE);
        channels[1].withdraw(0, Withdrawn.BY_CLOSE);
        assertEquals(Withdrawn.BY_FAILURE, channels[0].withdrawn(1), "the first reason");
        assertEquals(Withdrawn.NO, channels[1].withdrawn(0));
        goesOn();
    }

    @Test
    void anOverwrittenHeaderIsToldAtBothEnds() throws Exception {
        overwrite(0, new byte[] {1, 2, 3});
        for (TestRank each : ranks) {
            RecordingListener.Failure failure = each.awaitFailure();
            assertEquals(1 - each.rank, failure.peer());
            assertTrue(failure.corrupt());
            assertTrue(failure.reason().contains("magic number"), failure.reason());
            assertEquals(Channel.PEER_FAILED, each.trySend(1 - each.rank, PacketKind.EAGER, 0, 0, new byte[1], null));
        }
    }

    @Test
    void aSegmentThatIsCutShortIsToldAtBothEnds() throws Exception {
        for (long size : new long[] {0, SegmentLayout.PAGE, bytes - SegmentLayout.PAGE}) {
            cut(size);
            for (TestRank each : ranks) {
                RecordingListener.Failure failure = each.awaitFailure();
                assertTrue(failure.corrupt(), "size " + size);
                assertEquals(
                        Channel.PEER_FAILED, each.trySend(1 - each.rank, PacketKind.EAGER, 0, 0, new byte[1], null));
                each.channel.signal(1 - each.rank);
                assertEquals(1, each.listener.failures.size(), "told once");
            }
            close();
            open();
        }
    }

    /** Else the receiver would wait for a packet that may be taken already. */
    @Test
    void aTargetThatIsGoneIsNotLeftToThePoll(@TempDir Path directory) throws Exception {
        MappedByteBuffer gone;
        try (RandomAccessFile open =
                new RandomAccessFile(directory.resolve("target").toFile(), "rw")) {
            open.setLength(4096);
            gone = open.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            open.setLength(0);
        }
        ranks[0].send(1, 0, new byte[1000]);
        try {
            long taken = channels[1].endpoint(0).takeEager(0, Device.ANY_TAG, null, Memory.address(gone), 4096, 1);
            assertTrue(taken >= 0, "result " + taken);
            Memory.settle();
        } catch (InternalError e) {
            assertTrue(e.getMessage().contains("unsafe memory access"), e.getMessage());
        }
        Reference.reachabilityFence(gone);
    }

    /** The program's own memory is gone: nobody else is cut off for that. */
    @Test
    void aSourceThatIsGoneIsNotThePeersFault() {
        try (CutFile file = CutFile.gone(4096)) {
            for (int bytes : new int[] {100, 1000}) {
                assertThrows(InternalError.class, () -> {
                    channels[0].trySend(1, PacketKind.EAGER, 0, 0, null, Memory.address(file.buffer()), bytes, null);
                    Memory.settle();
                });
            }
        }
        channels[0].signal(1);
        goesOn();
    }

    private void goesOn() {
        for (TestRank each : ranks) {
            each.channel.checkPeers(each.listener);
            assertEquals(0, each.listener.failures.size(), () -> "told " + each.listener.failures);
        }
        byte[] body = {1, 2, 3};
        ranks[0].send(1, 77, body);
        RecordingListener.Packet packet;
        do {
            packet = ranks[1].receive();
        } while (packet.tag() != 77);
        assertArrayEquals(body, packet.body());
    }

    @Test
    void aTargetThatIsGoneIsNotTheFaultOfThePeerWhoseArenaIsRead() {
        RemoteReference reference = new RemoteReference();
        assertTrue(channels[1].describe(0, null, null, channels[1].allocate(1 << 20), 1 << 20, reference));
        try (CutFile file = new CutFile(new byte[1 << 20])) {
            ByteBuffer whole = file.buffer();
            long address = Memory.address(whole);
            for (int i = 0; i < 3000; i++) {
                assertEquals(GetResult.DONE, channels[0].get(1, reference, 0, whole, null, address, 16 << 10, null));
            }
            file.cut(8192);
            for (int i = 0; i < 3000; i++) {
                assertEquals(
                        GetResult.TARGET_LOST, channels[0].get(1, reference, 0, whole, null, address, 16 << 10, null));
                assertEquals(GetResult.DONE, channels[0].get(1, reference, 0, whole, null, address, 8192, null));
            }
        }
        goesOn();
    }

    @Test
    void sendingIntoASegmentThatIsGoneEnds() throws Exception {
        cut(0);
        byte[] body = new byte[1000];
        int result = Channel.SENT;
        for (int i = 0; i < 100_000 && result != Channel.PEER_FAILED; i++) {
            result = ranks[0].trySend(1, PacketKind.EAGER, 0, i, body, null);
            ranks[0].channel.checkPeers(ranks[0].listener);
        }
        assertEquals(Channel.PEER_FAILED, result);
    }

    /** No error of the JVM may be left to come up in somebody else's code, which is what compiled accesses did. */
    @Test
    void compiledAccessesToASegmentThatIsGoneLeaveNothingBehind() throws Exception {
        byte[] body = new byte[8];
        for (int i = 0; i < 20_000; i++) {
            ranks[0].send(1, 0, body);
            ranks[1].receive();
        }
        cut(0);
        channels[0].trySend(1, PacketKind.EAGER, 0, 0, body, Memory.arrayOffset(body), body.length, null);
        Memory.settle();
        channels[0].signal(1);
        Memory.settle();
        ranks[1].channel.poll(ranks[1].listener, 1);
        Memory.settle();
        for (TestRank each : ranks) {
            assertTrue(each.awaitFailure().reason().contains("was cut short"), "told " + each.listener.failures);
        }
    }

    @Test
    void anArenaThatIsCutOffIsToldByItsOwner() throws Exception {
        channels[1].allocate(1 << 20);
        cut(bytes);
        RecordingListener.Failure failure = ranks[1].awaitFailure();
        assertTrue(failure.corrupt() && failure.reason().contains("segment of rank 1 was cut short"), failure.reason());
    }

    @Test
    void aReferenceIntoAnArenaThatIsCutOffIsRefused() throws Exception {
        long address = channels[1].allocate(1 << 20);
        RemoteReference reference = new RemoteReference();
        assertTrue(channels[1].describe(0, null, null, address, 1 << 20, reference));
        byte[] target = new byte[100_000];
        assertEquals(
                GetResult.DONE,
                channels[0].get(1, reference, 0, null, target, Memory.arrayOffset(target), target.length, null));
        assertEquals(
                GetResult.DONE, channels[0].get(1, reference, 0, null, target, Memory.arrayOffset(target), 1, null));
        cut(bytes);
        assertEquals(
                GetResult.FAILED,
                channels[0].get(1, reference, 5000, null, target, Memory.arrayOffset(target), target.length, null));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(failure.corrupt());
        assertTrue(failure.reason().contains("cut short"), failure.reason());
    }

    @RepeatedTest(40)
    void randomBytesAnywhere() throws Exception {
        int stalled = 0;
        for (int step = 0;
                step < 1500 && ranks[0].listener.failures.isEmpty() && ranks[1].listener.failures.isEmpty();
                step++) {
            if (random.nextInt(60) == 0) {
                byte[] nonsense = new byte[1 + random.nextInt(300)];
                random.nextBytes(nonsense);
                overwrite(random.nextInt((int) bytes - nonsense.length), nonsense);
            }
            int result = ranks[0].trySend(1, PacketKind.EAGER, 0, step, new byte[random.nextInt(1000)], null);
            int taken = random.nextBoolean() ? 0 : ranks[1].channel.poll(ranks[1].listener, 20);
            if (step % 50 == 0) {
                ranks[0].channel.checkPeers(ranks[0].listener);
                ranks[1].channel.checkPeers(ranks[1].listener);
            }
            stalled = result != Channel.SENT && taken == 0 ? stalled + 1 : 0;
            assertTrue(stalled < 300, "no packet passes and no failure is told, seed " + seed);
        }
        for (TestRank each : ranks) {
            each.listener.failures.forEach(failure -> assertTrue(failure.corrupt(), failure.reason()));
        }
    }
}
