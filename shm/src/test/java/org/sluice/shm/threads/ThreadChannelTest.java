package org.sluice.shm.threads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RendezvousStart;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;

@Tag("conformance")
final class ThreadChannelTest extends GetCases {
    private static final int[] BOTH = {0, 1};
    private static final long CLOSES_NANOS = TimeUnit.SECONDS.toNanos(3);

    @Override
    protected TestRank[] open(int count) {
        String job = UUID.randomUUID().toString();
        int[] all = IntStream.range(0, count).toArray();
        return IntStream.range(0, count).mapToObj(rank -> open(job, rank, all)).toArray(TestRank[]::new);
    }

    private static TestRank open(String job, int rank, int[] all) {
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        WaitWord word = new WaitWord(Memory.address(memory), memory, null);
        return new TestRank(
                rank, ThreadChannel.open(job, rank, all, word, Options.of(Map.of(), Map.of(), Map.of())), word);
    }

    @Test
    void objectsStayWithTheirPackets() {
        for (int i = 0; i < 5000; i++) {
            Object reference = i % 3 == 0 ? null : "object " + i;
            byte[] body = new byte[RendezvousStart.BYTES];
            while (ranks[0].trySend(1, PacketKind.RNDV_START, 0, i, body, reference) != Channel.SENT) {
                for (int received = 0; received < 7; received++) {
                    checkObject(ranks[1].receive());
                }
            }
        }
        while (ranks[1].channel.poll(ranks[1].listener, 10) > 0) {
            assertEquals(0, ranks[1].listener.failures.size());
        }
        assertEquals(4999, ranks[1].listener.packets.peekLast().tag());
        ranks[1].listener.packets.forEach(this::checkObject);
    }

    private void checkObject(RecordingListener.Packet packet) {
        assertEquals(packet.tag() % 3 == 0 ? null : "object " + packet.tag(), packet.reference());
    }

    @Test
    void aRankIsItsOwnPeer() {
        ranks[0].send(0, 5, new byte[] {1, 2, 3});
        assertArrayEquals(new byte[] {1, 2, 3}, ranks[0].receive().body());
    }

    @Test
    void anArrayIsCopiedStraightOutOfTheSendersArray() {
        long[] theirs = {1, 2, 3, 4};
        RemoteReference reference = new RemoteReference();
        assertTrue(ranks[0].channel.reading().describe(1, null, theirs, Memory.arrayOffset(theirs) + 8, 24, reference));
        assertSame(theirs, reference.object);
        long[] ours = new long[2];
        assertEquals(
                GetResult.DONE,
                ranks[1].channel.reading().get(0, reference, 8, null, ours, Memory.arrayOffset(ours), 16, null));
        assertArrayEquals(new long[] {3, 4}, ours);
        assertEquals(0, ranks[1].channel.sharing().addressInPlace(0, reference, 24), "an array has no address");
    }

    @Test
    void absoluteMemoryIsCopiedAndReadInPlace() {
        ByteBuffer theirs = ByteBuffer.allocateDirect(100);
        theirs.put(50, (byte) 7);
        RemoteReference reference = new RemoteReference();
        assertTrue(ranks[0].channel.reading().describe(1, null, null, Memory.address(theirs), 100, reference));
        byte[] ours = new byte[10];
        assertEquals(
                GetResult.DONE,
                ranks[1].channel.reading().get(0, reference, 45, null, ours, Memory.arrayOffset(ours), 10, null));
        assertEquals(7, ours[5]);
        assertEquals(Memory.address(theirs), ranks[1].channel.sharing().addressInPlace(0, reference, 100));
        Reference.reachabilityFence(theirs);
        reference.set(77, 0, null);
        assertEquals(
                GetResult.FAILED,
                ranks[1].channel.reading().get(0, reference, 0, null, ours, Memory.arrayOffset(ours), 1, null),
                "no key of this channel");
    }

    @Test
    void aPeerThatIsNotOpenYetHasNoRoomAndOneThatClosedHasFailed() {
        String job = UUID.randomUUID().toString();
        TestRank first = open(job, 0, BOTH);
        assertEquals(Channel.NO_RESOURCE, first.trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
        TestRank second = open(job, 1, BOTH);
        first.send(1, 1, new byte[1]);
        assertEquals(1, second.receive().tag());
        second.send(0, 2, new byte[1]);
        second.channel.close();
        assertEquals(Channel.PEER_FAILED, first.trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
        first.channel.checkPeers(first.listener);
        assertEquals(2, first.listener.packets.remove().tag(), "what it sent comes first");
        assertEquals(1, first.listener.failures.size());
        assertFalse(first.listener.failures.get(0).corrupt());
        first.channel.checkPeers(first.listener);
        assertEquals(1, first.listener.failures.size(), "told once");
        first.channel.close();
    }

    /** Nobody closed it, and nobody ever will. */
    @Test
    void aPeerThatWasDroppedHasFailed() throws InterruptedException {
        String job = UUID.randomUUID().toString();
        TestRank first = open(job, 0, BOTH);
        open(job, 1, BOTH);
        for (int i = 0; i < 100 && first.listener.failures.isEmpty(); i++) {
            System.gc();
            Thread.sleep(20);
            first.channel.checkPeers(first.listener);
        }
        assertEquals(1, first.listener.failures.size(), "one that is collected sends nothing any more");
        assertFalse(first.listener.failures.get(0).corrupt());
        assertEquals(Channel.PEER_FAILED, first.trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
        first.channel.close();
    }

    /**
     * Between two looks at the peer it closes, and takes its rings away: where that went wrong, it did within a second
     * or two.
     */
    @Test
    void aPeerThatClosesMeanwhileIsNotTakenForCorrupt() throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; System.nanoTime() - start < CLOSES_NANOS; i++) {
            String job = UUID.randomUUID().toString();
            TestRank first = open(job, 0, BOTH);
            TestRank second = open(job, 1, BOTH);
            first.send(1, 1, new byte[1]);
            AtomicBoolean go = new AtomicBoolean();
            int delay = i % 100;
            Thread closer = new Thread(() -> {
                while (!go.get()) {
                    Thread.onSpinWait();
                }
                for (int spin = 0; spin < delay; spin++) {
                    Thread.onSpinWait();
                }
                second.channel.close();
            });
            closer.start();
            go.set(true);
            for (int looks = 1; first.listener.failures.isEmpty(); looks++) {
                first.channel.checkPeers(first.listener);
                if (looks % 4096 == 0) {
                    // Where others use the cores too, the closer may be waiting for this one.
                    Thread.yield();
                }
            }
            closer.join();
            RecordingListener.Failure failure = first.listener.failures.get(0);
            assertFalse(failure.corrupt(), failure::toString);
            first.channel.close();
        }
    }

    @Test
    void anObjectThatFindsNoRoomIsNotLeftBehind() {
        int taken = 0;
        byte[] body = new byte[RendezvousStart.BYTES];
        while (ranks[0].trySend(1, PacketKind.RNDV_START, 0, taken, body, "object " + taken) == Channel.SENT) {
            taken++;
        }
        ranks[1].await(taken);
        ranks[0].trySend(1, PacketKind.RNDV_START, 0, taken, body, "the last");
        ranks[1].await(taken + 1);
        assertEquals("the last", ranks[1].listener.packets.peekLast().reference());
        ranks[0].trySend(1, PacketKind.RNDV_START, 0, taken, body, null);
        ranks[1].await(taken + 2);
        assertNull(ranks[1].listener.packets.peekLast().reference());
    }

    @Test
    void twoJobsAndTwoOpeningsOfOneRankDoNotMix() {
        String job = UUID.randomUUID().toString();
        int before = JvmRanks.ofThisJvm().size();
        TestRank first = open(job, 0, BOTH);
        assertEquals(before + 1, JvmRanks.ofThisJvm().size());
        String message = assertThrows(IllegalStateException.class, () -> open(job, 0, BOTH))
                .getMessage();
        assertTrue(message.contains("rank 0") && message.contains(job), message);
        TestRank other = open("another " + job, 0, BOTH);
        first.channel.close();
        other.channel.close();
        assertEquals(before, JvmRanks.ofThisJvm().size(), "entries go when the last rank of a job closes");
        open(job, 0, BOTH).channel.close();
    }

    @Test
    void aRankThatIsNotAmongThoseOfItsJvmIsRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> open("job", 2, BOTH))
                .getMessage();
        assertTrue(message.contains("rank 2") && message.contains("[0, 1]"), message);
    }
}
