package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** Packets that hold several messages, between channels: order, limits of a poll, and ends at a bad moment. */
@Tag("verbs")
final class CoalescingRxeTest {
    private static final int BODY = 256;
    private static final int SLOTS = 16;
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final Map<String, String> OPTIONS = Map.of(
            "sluice.ib.body.bytes",
            Integer.toString(BODY),
            "sluice.ib.window",
            "4",
            "sluice.ib.slots",
            Integer.toString(SLOTS),
            "sluice.ib.send.slots",
            "64",
            "sluice.close.timeout.ms",
            "2000");

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private TestRank[] ranks;

    private void open(int count) {
        ranks = VerbsRanks.joined(count, Options.of(OPTIONS), verbs);
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private static byte[] body(int tag, int bytes) {
        byte[] body = new byte[bytes];
        new Random(tag).nextBytes(body);
        return body;
    }

    /** Messages of 8 bytes from rank 0 to rank 1, in one packet, once there is credit for it. */
    private void sendTogether(int firstTag, int count) {
        ranks[0].channel.coalescing().gather(1);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int tag = firstTag; tag < firstTag + count; tag++) {
            while (ranks[0].trySend(1, PacketKind.EAGER, 0, tag, body(tag, 8), null) != Channel.SENT) {
                assertTrue(tag == firstTag && System.nanoTime() < deadline, "no room for tag " + tag);
                ranks[0].drive();
                ranks[1].drive();
            }
        }
        assertTrue(ranks[0].channel.coalescing().flush(1));
    }

    @Test
    void packedOrNotAllComeInOrder() {
        open(2);
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int count = 600;
        int sent = 0;
        int got = 0;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (got < count) {
            boolean gathers = random.nextBoolean();
            if (gathers) {
                ranks[0].channel.coalescing().gather(1);
            }
            boolean hasRoom = true;
            for (int most = 1 + random.nextInt(20); hasRoom && most > 0 && sent < count; most--) {
                int kind =
                        sent % 7 == 0 ? PacketKind.RNDV_END : sent % 5 == 0 ? PacketKind.RNDV_START : PacketKind.EAGER;
                int bytes = kind == PacketKind.RNDV_END ? 8 : sent % 11 == 0 ? BODY : sent % 3 == 0 ? sent % 100 : 8;
                hasRoom = ranks[0].trySend(1, kind, sent % 2, sent, body(sent, bytes), null) == Channel.SENT;
                sent += hasRoom ? 1 : 0;
            }
            if (gathers) {
                assertTrue(ranks[0].channel.coalescing().flush(1));
            }
            ranks[0].drive();
            int limit = 1 + random.nextInt(5);
            int handedUp = ranks[1].channel.poll(ranks[1].listener, limit);
            assertEquals(handedUp, ranks[1].listener.packets.size());
            assertTrue(handedUp <= limit, handedUp + " where " + limit + " were asked for");
            for (; !ranks[1].listener.packets.isEmpty(); got++) {
                RecordingListener.Packet packet = ranks[1].listener.packets.remove();
                assertEquals(got, packet.tag(), "seed " + seed);
                assertEquals(got % 2, packet.contextId());
                assertArrayEquals(body(got, packet.body().length), packet.body(), "message " + got + ", seed " + seed);
            }
            assertTrue(System.nanoTime() < deadline, "stuck after " + got + " of " + sent + ", seed " + seed);
        }
        assertEquals(0, ranks[0].listener.failures.size() + ranks[1].listener.failures.size());
    }

    @Test
    void aListenerThatThrowsMissesOnlyThatMessage() {
        open(2);
        int[] seen = {0};
        RecordingListener throwing = new RecordingListener() {
            @Override
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                assertEquals(seen[0]++, tag);
                throw new IllegalStateException("on purpose");
            }
        };
        // More packets than there are slots.
        for (int round = 0; round < 2 * SLOTS; round++) {
            sendTogether(5 * round, 5);
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (seen[0] < 5 * round + 5) {
                ranks[0].drive();
                try {
                    ranks[1].channel.poll(throwing, 10);
                } catch (IllegalStateException e) {
                    assertEquals("on purpose", e.getMessage());
                }
                assertTrue(System.nanoTime() < deadline, "stuck after " + seen[0]);
            }
        }
    }

    @Test
    void whatIsLeftOfAPeerThatIsCutOffIsDropped() {
        open(3);
        for (int round = 0; round < 2 * SLOTS; round++) {
            ranks[2].send(1, round, new byte[8]);
            assertEquals(2, ranks[1].receive().peer());
        }
        sendTogether(0, 6);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[1].channel.poll(ranks[1].listener, 2) == 0) {
            assertTrue(System.nanoTime() < deadline, "nothing came");
        }
        assertEquals(2, ranks[1].listener.packets.size());
        ranks[1].listener.packets.clear();
        ranks[1].channel.disconnect(0);
        for (int round = 0; round < 2 * SLOTS; round++) {
            ranks[2].send(1, round, new byte[8]);
            RecordingListener.Packet packet = ranks[1].receive();
            assertEquals(2, packet.peer());
            assertEquals(round, packet.tag());
        }
    }

    @Test
    void whatAPeerHadSentComesBeforeItsEnd() throws InterruptedException {
        open(2);
        List<String> order = new java.util.ArrayList<>();
        ChannelListener ordering = VerbsRanks.ordering(order);
        sendTogether(0, 6);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        // The last packet of every peer: close waits until it and what went before have arrived.
        while (ranks[0].trySend(1, PacketKind.CLOSE, 0, 6, new byte[0], null) != Channel.SENT) {
            assertTrue(System.nanoTime() < deadline, "no room to say goodbye");
            ranks[0].drive();
        }
        ranks[0].channel.close();
        while (!order.contains("failed")) {
            ranks[1].channel.poll(ordering, 1);
            ranks[1].channel.checkPeers(ordering);
            assertTrue(System.nanoTime() < deadline, "no failure after " + order);
        }
        assertEquals(
                List.of("packet 0", "packet 1", "packet 2", "packet 3", "packet 4", "packet 5", "packet 6", "failed"),
                order);
    }

    /** The work request of a bundle finds no room in the library: it is asked for again, or the end comes first. */
    @Test
    void aPostThatFoundNoRoomIsRepeatedOrGivenBack() {
        open(0);
        // Each packet tells when it has left: until that is seen, the queue may be full.
        Map<String, String> options = new HashMap<>(OPTIONS);
        options.put("sluice.ib.window", "2");
        for (boolean isRepeated : new boolean[] {true, false}) {
            CountingVerbs living = new CountingVerbs(verbs);
            TestRank[] pair = {
                VerbsRanks.rank(
                        0,
                        2,
                        Options.of(options),
                        FailingVerbs.failing(living.calls(), "postSend", 2, Errno.ENOMEM),
                        null),
                VerbsRanks.rank(1, 2, Options.of(options), verbs, null)
            };
            VerbsRanks.introduce(pair);
            VerbsRanks.join(pair[0], pair[1]);
            pair[0].send(1, 0, new byte[8]);
            assertEquals(0, pair[1].receive().tag());
            pair[0].channel.coalescing().gather(1);
            for (int tag = 1; tag < 4; tag++) {
                assertEquals(Channel.SENT, pair[0].trySend(1, PacketKind.EAGER, 0, tag, new byte[8], null));
            }
            assertFalse(pair[0].channel.coalescing().flush(1));
            if (isRepeated) {
                assertEquals(
                        Channel.NO_RESOURCE,
                        pair[0].trySend(1, PacketKind.EAGER, 0, 4, new byte[8], null),
                        "no credit, but it sends what was kept");
                for (int tag = 1; tag < 4; tag++) {
                    assertEquals(tag, pair[1].receive().tag());
                }
                assertTrue(pair[0].channel.coalescing().flush(1), "nothing is kept any more");
            }
            pair[0].channel.close();
            pair[1].channel.close();
            assertEquals(Map.of(), living.living());
        }
    }

    @Test
    void nothingIsAllocatedOnTheWay() {
        open(2);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int[] got = {0};
        ChannelListener counting = new RecordingListener() {
            @Override
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                got[0]++;
            }
        };
        byte[] payload = new byte[8];
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20; i++) {
                ranks[0].channel.coalescing().gather(1);
                int until = got[0] + 10;
                for (int sent = 0; sent < 10; ) {
                    if (ranks[0].channel.trySend(1, PacketKind.EAGER, 0, 7, payload, Memory.ARRAY_OFFSET, 8, null)
                            == Channel.SENT) {
                        sent++;
                    } else {
                        // Credit is still on its way back.
                        ranks[0].channel.poll(counting, 1);
                        ranks[1].channel.poll(counting, 7);
                    }
                }
                while (got[0] < until) {
                    ranks[0].channel.coalescing().flush(1);
                    ranks[0].channel.poll(counting, 1);
                    ranks[1].channel.poll(counting, 7);
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least < 200, least + " bytes allocated for 200 messages");
    }
}
