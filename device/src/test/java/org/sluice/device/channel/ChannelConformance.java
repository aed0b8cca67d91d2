package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.memory.Memory;

/**
 * What every channel does, whatever moves its bytes. A channel's tests extend this and say how to open connected ranks;
 * everything runs in one JVM.
 */
public abstract class ChannelConformance extends ManyPeerCases {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int LAST_TAG = Integer.MAX_VALUE;

    private final Deque<RecordingListener.Packet> sent = new ArrayDeque<>();
    private Endpoint from;

    @BeforeEach
    void openTwo() throws Exception {
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        ranks = open(2);
    }

    @Test
    void aPacketArrivesAsItWasSent() {
        byte[] body = randomBody(8);
        ranks[0].sendUntilTaken(1, PacketKind.EAGER, 7, LAST_TAG, body, Memory.arrayOffset(body), body.length);
        RecordingListener.Packet packet = ranks[1].receive();
        assertEquals(0, packet.peer());
        assertEquals(PacketKind.EAGER, packet.kind());
        assertEquals(7, packet.contextId());
        assertEquals(LAST_TAG, packet.tag());
        assertArrayEquals(body, packet.body());
        assertEquals(0, ranks[1].channel.poll(ranks[1].listener, 10), "nothing else was sent");
    }

    @Test
    void packetsOfAllKindsKeepTheirOrder() {
        int[] kinds = IntStream.rangeClosed(1, PacketKind.LAST).toArray();
        for (int i = 0; i < many(20_000); i++) {
            int kind = kinds[random.nextInt(kinds.length)];
            boolean mayBeLong = kind == PacketKind.EAGER || kind == PacketKind.RNDV_DATA;
            byte[] body = randomBody(
                    random.nextInt(1 + (mayBeLong ? Math.min(3000, limit()) : PacketKind.CONTROL_BODY_LIMIT)));
            while (ranks[0].trySend(1, kind, i, i, body, null) != Channel.SENT) {
                takeAndCheck(1 + random.nextInt(50));
                ranks[0].drive();
            }
            sent.add(new RecordingListener.Packet(0, kind, i, i, body, null));
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!sent.isEmpty()) {
            takeAndCheck(Integer.MAX_VALUE);
            assertTrue(System.nanoTime() < deadline, sent.size() + " packets did not arrive");
        }
    }

    /** Polls at most this many and compares them with the oldest that were sent. */
    private void takeAndCheck(int most) {
        int taken = ranks[1].channel.poll(ranks[1].listener, most);
        assertTrue(taken <= most, taken + " packets were handed up, " + most + " were asked for");
        assertEquals(taken, ranks[1].listener.packets.size());
        for (RecordingListener.Packet packet : ranks[1].listener.packets) {
            RecordingListener.Packet expected = sent.remove();
            assertEquals(expected.tag(), packet.tag());
            assertEquals(expected.contextId(), packet.contextId());
            assertEquals(PacketKind.name(expected.kind()), PacketKind.name(packet.kind()));
            assertArrayEquals(expected.body(), packet.body());
        }
        ranks[1].listener.packets.clear();
        assertEquals(0, ranks[1].listener.failures.size(), "failures " + ranks[1].listener.failures);
    }

    /** Whether a message is taken past the listener or handed up, it is the oldest, once, and whole. */
    @Test
    void whatIsTakenKeepsTheOrder() {
        byte[] into = new byte[limit()];
        Endpoint to = ranks[0].channel.endpoint(1);
        from = ranks[1].channel.endpoint(0);
        for (int i = 0; i < many(20_000); i++) {
            int kind = random.nextInt(4) == 0 ? PacketKind.RELEASE : PacketKind.EAGER;
            byte[] body =
                    randomBody(random.nextInt(1 + (kind == PacketKind.EAGER ? Math.min(3000, limit()) : Long.BYTES)));
            boolean past = kind == PacketKind.EAGER && random.nextBoolean();
            while ((past ? ranks[0].trySendBy(to, i % 3, i, body) : ranks[0].trySend(1, kind, i % 3, i, body, null))
                    != Channel.SENT) {
                takeOrPoll(into);
                ranks[0].drive();
            }
            sent.add(new RecordingListener.Packet(0, kind, i % 3, i, body, null));
            if (random.nextBoolean()) {
                takeOrPoll(into);
            }
        }
        while (!sent.isEmpty()) {
            takeOrPoll(into);
        }
        assertTrue(take(0, Device.ANY_TAG, into, into.length) < 0);
    }

    /** By the endpoint or, where the channel has that too, by the channel. */
    private long take(int contextId, int tagOrAny, byte[] into, int bytes) {
        EagerTaking taking = ranks[1].channel.taking();
        long at = Memory.arrayOffset(into);
        return taking == null || random.nextBoolean()
                ? from.takeEager(contextId, tagOrAny, into, at, bytes, 1)
                : taking.takeEager(0, contextId, tagOrAny, into, at, bytes, 1);
    }

    private void takeOrPoll(byte[] into) {
        RecordingListener.Packet next = sent.peek();
        if (next == null) {
            // All has come; the receiver may still owe the sender news of that.
            ranks[1].drive();
            return;
        }
        boolean asked = random.nextInt(5) != 0;
        boolean meant = asked && next.kind() == PacketKind.EAGER;
        int contextId = asked ? next.contextId() : next.contextId() + 1;
        int tag = random.nextBoolean() ? next.tag() : Device.ANY_TAG;
        long taken = take(contextId, tag, into, next.body().length);
        if (taken >= 0) {
            assertTrue(meant, "took what was not asked for: " + next);
            assertEquals(next.tag(), Endpoint.takenTag(taken));
            assertEquals(next.body().length, Endpoint.takenBytes(taken));
            assertArrayEquals(next.body(), Arrays.copyOf(into, next.body().length));
            sent.remove();
        } else {
            takeAndCheck(1);
        }
    }

    private int limit() {
        return ranks[0].channel.eagerLimitBytes();
    }

    @Test
    void lengthsOfEveryKindArriveWhole() {
        byte[] all = randomBody(limit());
        for (int bytes = 0; bytes <= all.length; bytes += bytes < 300 || bytes > all.length - 300 ? 1 : lengthStep()) {
            long from = Memory.arrayOffset(all) + (all.length - bytes);
            ranks[0].sendUntilTaken(1, PacketKind.EAGER, 0, bytes, all, from, bytes);
            int expected = bytes;
            pollForOne(new OnePacket() {
                @Override
                public void onPacket(
                        int peer, int kind, int contextId, int tag, long address, int length, Object reference) {
                    assertEquals(expected, length);
                    assertEquals(expected, tag);
                    byte[] body = new byte[length];
                    Memory.copy(null, address, body, Memory.arrayOffset(body), length);
                    assertEquals(-1, Arrays.mismatch(all, all.length - length, all.length, body, 0, length));
                }
            });
        }
    }

    private void pollForOne(ChannelListener listener) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[1].channel.poll(listener, 1) == 0) {
            assertTrue(System.nanoTime() < deadline, "the packet did not arrive");
        }
    }

    /** A listener to whom nothing fails. */
    protected abstract static class OnePacket implements ChannelListener {
        @Override
        public void onPeerFailed(int peer, boolean corrupt, String reason) {
            throw new AssertionError("rank " + peer + " failed: " + reason);
        }
    }

    @Test
    void payloadThatLooksLikeHeadersIsOnlyPayload() {
        // All that could be taken for an arrival: sequence, kind and length of every cell to come, over and over.
        byte[] body = new byte[Math.min(4096, limit())];
        ByteBuffer words = ByteBuffer.wrap(body).order(ByteOrder.nativeOrder());
        for (int i = 0; i < many(10_000); i++) {
            for (int at = 0; at + 8 <= body.length; at += 8) {
                words.putLong(at, (i + at / 8) & 0xffffffffL | 1L << 32 | 8L << 40);
            }
            ranks[0].send(1, i, i % 2 == 0 ? body : Arrays.copyOf(body, 48));
            RecordingListener.Packet packet = ranks[1].receive();
            assertEquals(i, packet.tag());
            assertEquals(
                    0, ranks[1].channel.poll(ranks[1].listener, 1), "payload was taken for a packet after packet " + i);
        }
    }

    @Test
    void bodiesComeFromAbsoluteMemoryAndFromArraysOfAnyType() {
        ByteBuffer direct = ByteBuffer.allocateDirect(1000);
        direct.put(randomBody(1000)).flip();
        ranks[0].sendUntilTaken(1, PacketKind.EAGER, 0, 0, null, Memory.address(direct) + 3, 997);
        byte[] expected = new byte[997];
        direct.get(3, expected);
        assertArrayEquals(expected, ranks[1].receive().body());
        double[] doubles = {1, 2, 3};
        ranks[0].sendUntilTaken(1, PacketKind.EAGER, 0, 0, doubles, Memory.arrayOffset(doubles) + 8, 16);
        ByteBuffer body = ByteBuffer.wrap(ranks[1].receive().body()).order(ByteOrder.nativeOrder());
        assertEquals(2, body.getDouble());
        assertEquals(3, body.getDouble());
    }

    @Test
    void whatFindsNoRoomIsRefusedAndControlPacketsStillPass() {
        for (int bytes : new int[] {8, 1000, limit()}) {
            int ordinary = fill(PacketKind.EAGER, bytes);
            assertTrue(ordinary > 0);
            assertEquals(Channel.NO_RESOURCE, ranks[0].trySend(1, PacketKind.EAGER, 0, 0, new byte[bytes], null));
            int control = fill(PacketKind.RELEASE, 8);
            assertTrue(control > 0, "no room was kept for control packets");
            assertEquals(Channel.NO_RESOURCE, ranks[0].trySend(1, PacketKind.RELEASE, 0, 0, new byte[8], null));
            ranks[1].await(ordinary + control);
            assertEquals(0, ranks[1].channel.poll(ranks[1].listener, 1));
            for (int i = 0; i < ordinary; i++) {
                assertEquals(i, ranks[1].listener.packets.remove().tag());
            }
            for (int i = 0; i < control; i++) {
                assertEquals(
                        PacketKind.RELEASE, ranks[1].listener.packets.remove().kind());
            }
        }
    }

    /** Sends until there is no room; the tags count from 0. */
    protected final int fill(int kind, int bytes) {
        byte[] body = randomBody(bytes);
        // What was received before may not be known as room yet; from then on nobody takes anything.
        ranks[0].sendUntilTaken(1, kind, 0, 0, body, Memory.arrayOffset(body), bytes);
        int taken = 1;
        while (ranks[0].trySend(1, kind, 0, taken, body, null) == Channel.SENT) {
            taken++;
            assertTrue(taken < 10_000_000, "the channel never says that it has no room");
        }
        return taken;
    }

    @Test
    void bothDirectionsAndAFloodFromAnotherThread() throws Exception {
        int count = many(300_000);
        byte[] bodies = randomBody(5000);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    int bytes = i % 16 == 0 ? i % 4096 : i % 64;
                    long from = Memory.arrayOffset(bodies) + i % 900;
                    while (ranks[0].channel.trySend(1, PacketKind.EAGER, i, bytes, bodies, from, bytes, null)
                            != Channel.SENT) {
                        ranks[0].drive();
                        Thread.yield();
                    }
                    Memory.fullFence();
                    ranks[0].channel.signal(1);
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        sender.start();
        int[] next = {0};
        ChannelListener checking = new OnePacket() {
            @Override
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int length, Object reference) {
                assertEquals(next[0], contextId);
                assertEquals(tag, length);
                for (int at = 0; at < length; at++) {
                    if (Memory.getByte(address + at) != bodies[contextId % 900 + at]) {
                        throw new AssertionError("packet " + contextId + " differs at byte " + at + ", seed " + seed);
                    }
                }
                next[0]++;
            }
        };
        while (next[0] < count && failure.get() == null) {
            if (ranks[1].channel.poll(checking, 64) == 0) {
                Thread.yield();
            }
        }
        sender.join();
        assertEquals(null, failure.get());
        assertEquals(count, next[0]);
    }

    @Test
    void aSleeperIsWokenAndOnlyASleeper() throws Exception {
        WaitWord word = ranks[1].word;
        int before = word.sequence();
        ranks[0].send(1, 0, new byte[8]);
        assertEquals(before, word.sequence(), "nobody sleeps, so nothing is rung");
        ranks[1].receive();
        ranks[1].prepareSleep(ranks);
        word.announceSleep();
        ranks[1].channel.arm();
        Memory.fullFence();
        assertEquals(0, ranks[1].channel.poll(ranks[1].listener, 1));
        ranks[0].send(1, 0, new byte[8]);
        ranks[1].awaitRing(before);
        word.awake();
        ranks[1].receive();
    }

    @Test
    void aPeerThatWasDisconnectedIsSilentAndTakesNothing() {
        ranks[0].send(1, 0, new byte[8]);
        ranks[1].channel.disconnect(0);
        assertEquals(0, ranks[1].channel.poll(ranks[1].listener, 10), "packets of a disconnected peer are dropped");
        assertEquals(Channel.PEER_FAILED, ranks[1].trySend(0, PacketKind.EAGER, 0, 0, new byte[8], null));
        ranks[1].channel.checkPeers(ranks[1].listener);
        assertEquals(
                0,
                ranks[1].listener.failures.size(),
                "who disconnected needs not be told: " + ranks[1].listener.failures);
    }

    @Test
    void aListenerMayDisconnectThePeerItIsToldOf() {
        ranks[0].send(1, 1, new byte[8]);
        ranks[0].trySend(1, PacketKind.CLOSE, 0, 0, new byte[0], null);
        // Refused where there is no room for it: as good, for nobody must see it.
        ranks[0].trySend(1, PacketKind.EAGER, 0, 2, new byte[8], null);
        RecordingListener listener = new RecordingListener() {
            @Override
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                super.onPacket(peer, kind, contextId, tag, address, bytes, reference);
                if (kind == PacketKind.CLOSE) {
                    ranks[1].channel.disconnect(peer);
                }
            }
        };
        int polled = 0;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (polled < 2 && System.nanoTime() < deadline) {
            polled += ranks[1].channel.poll(listener, 10);
        }
        assertEquals(2, polled);
        assertEquals(0, ranks[1].channel.poll(listener, 10));
    }

    @Test
    void limitsFitTogether() {
        Channel channel = ranks[0].channel;
        assertTrue(channel.eagerLimitBytes() >= PacketKind.CONTROL_BODY_LIMIT);
        assertTrue(channel.protocolSwitchLimitBytes() <= channel.eagerLimitBytes());
        assertTrue(channel.chunkBytes() > 0);
        assertFalse(channel.name().isEmpty());
        channel.close();
        channel.close();
    }
}
