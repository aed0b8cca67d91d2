package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;

/** What is so only with landing rings, between two ranks that write to each other. */
@Tag("verbs")
final class LandingRxeTest {
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private TestRank[] ranks;

    private void open(String eager) {
        System.out.println("LandingRxeTest seed " + seed);
        ranks = LandingRanks.writing(2, LandingRanks.options(eager), VerbsRanks.verbs());
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "write-imm"})
    void aWrittenPacketIsOneWorkRequestAndOneCopy(String eager) {
        open(eager);
        Counter[] counted = {
            Counter.LANDING_WRITES,
            Counter.WORK_REQUESTS,
            Counter.NATIVE_CROSSINGS,
            Counter.COPIES,
            Counter.CREDIT_PACKETS,
            Counter.LANDING_NEWS,
            Counter.REGISTRATIONS,
            Counter.INLINE_SENDS
        };
        long[] before = new long[counted.length];
        for (int i = 0; i < counted.length; i++) {
            before[i] = LandingRanks.sum(ranks[0], counted[i]);
        }
        for (int i = 0; i < 200; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
            ranks[1].send(0, i, new byte[8]);
            ranks[0].receive();
        }
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < counted.length; i++) {
            found.add(LandingRanks.sum(ranks[0], counted[i]) - before[i]);
        }
        assertEquals(List.of(200L, 200L, 200L, 200L, 0L, 0L, 0L, 200L), found, "answers carry what there is to tell");
    }

    /**
     * Long packets are sent, short ones are written, and what is left of a full ring is sent: all come in the order in
     * which they left.
     */
    @ParameterizedTest
    @ValueSource(strings = {"write", "write-imm"})
    void bothWaysKeepOneOrder(String eager) {
        open(eager);
        int[] kinds = {PacketKind.EAGER, PacketKind.RNDV_START, PacketKind.RELEASE, PacketKind.RNDV_DATA};
        long written = LandingRanks.sum(ranks[0], Counter.LANDING_WRITES);
        int count = 2000;
        int taken = 0;
        for (int i = 0; i < count; i++) {
            int kind = kinds[random.nextInt(kinds.length)];
            boolean mayBeLong = kind == PacketKind.EAGER || kind == PacketKind.RNDV_DATA;
            byte[] body = new byte
                    [random.nextInt(mayBeLong && random.nextInt(3) == 0 ? 3000 : PacketKind.CONTROL_BODY_LIMIT)];
            random.nextBytes(body);
            while (ranks[0].trySend(1, kind, body.length, i, body, null) != Channel.SENT) {
                ranks[0].drive();
                taken += take(taken, 1 + random.nextInt(40));
            }
        }
        while (taken < count) {
            taken += take(taken, 1000);
        }
        written = LandingRanks.sum(ranks[0], Counter.LANDING_WRITES) - written;
        assertTrue(written > count / 4 && written < count, written + " of " + count + " were written");
    }

    private int take(int next, int limit) {
        ranks[1].channel.poll(ranks[1].listener, limit);
        int taken = 0;
        for (; !ranks[1].listener.packets.isEmpty(); taken++) {
            var packet = ranks[1].listener.packets.remove();
            assertEquals(next + taken, packet.tag(), "seed " + seed);
            assertEquals(packet.contextId(), packet.body().length, "seed " + seed);
        }
        return taken;
    }

    /**
     * A ring that nobody empties sends no more than it holds past the credit; then the rest goes on, told by packets of
     * credit alone.
     */
    @Test
    void oneWayTrafficIsToldOfRoom() {
        open("write");
        long news = LandingRanks.sum(ranks[1], Counter.CREDIT_PACKETS);
        long before = LandingRanks.sum(ranks[0], Counter.LANDING_WRITES);
        for (int i = 0; i < 1000; i++) {
            ranks[0].send(1, i, new byte[8]);
            assertEquals(i, ranks[1].receive().tag());
        }
        long written = LandingRanks.sum(ranks[0], Counter.LANDING_WRITES) - before;
        long packets = LandingRanks.sum(ranks[1], Counter.CREDIT_PACKETS) - news;
        assertTrue(written > 500, written + " of 1000 were written");
        assertTrue(packets > 0 && packets < 250, packets + " packets of credit for 1000 messages");
    }

    /** What was written before CLOSE comes before it, and before the failure that follows. */
    @Test
    void theLastPacketIsTheLast() throws InterruptedException {
        open("write");
        int sent = 0;
        while (sent < 40
                && ranks[0].trySend(1, PacketKind.EAGER, 0, sent, new byte[sent % 2 == 0 ? 8 : 2000], null)
                        == Channel.SENT) {
            sent++;
        }
        assertTrue(sent > 0);
        byte[] none = new byte[0];
        while (ranks[0].trySend(1, PacketKind.CLOSE, 0, sent, none, null) != Channel.SENT) {
            ranks[0].drive();
        }
        ranks[0].channel.close();
        ranks[1].awaitFailure();
        assertEquals(sent + 1, ranks[1].listener.packets.size());
        for (int i = 0; i <= sent; i++) {
            assertEquals(i, ranks[1].listener.packets.remove().tag());
        }
    }

    /** A listener that throws, and one that takes one at a time, lose nothing of a ring either. */
    @Test
    void whatAListenerThrowsLosesNothing() {
        open("write");
        int sent = 0;
        while (sent < 20 && ranks[0].trySend(1, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
            sent++;
        }
        int[] next = {0};
        long deadline = System.nanoTime() + TestRank.PATIENCE_NANOS;
        while (next[0] < sent) {
            try {
                ranks[1].channel.poll(
                        new RecordingListener() {
                            @Override
                            public void onPacket(
                                    int peer,
                                    int kind,
                                    int contextId,
                                    int tag,
                                    long address,
                                    int bytes,
                                    Object reference) {
                                assertEquals(next[0]++, tag);
                                throw new IllegalStateException("as a test says");
                            }
                        },
                        1 + random.nextInt(3));
            } catch (IllegalStateException e) {
                assertEquals("as a test says", e.getMessage());
            }
            assertTrue(System.nanoTime() < deadline, next[0] + " of " + sent);
        }
    }
}
