package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.option.Options;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;

/** Short packets that the device takes with their work request. */
final class InlineTest {
    private static final int HEADER = PacketHeader.BYTES;

    private final SimulatedVerbs verbs = new SimulatedVerbs();
    private TestRank[] ranks;

    private void open(Options options) {
        ranks = VerbsRanks.joined(2, options, verbs);
    }

    private long inline(int rank) {
        return LandingRanks.sum(ranks[rank], Counter.INLINE_SENDS);
    }

    /** Whether a message of that length goes so. */
    private boolean isInline(int bytes) {
        long before = inline(0);
        ranks[0].send(1, bytes, new byte[bytes]);
        assertEquals(bytes, ranks[1].receive().body().length);
        return inline(0) > before;
    }

    private void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), verbs.wrongs());
        assertEquals(Map.of(), verbs.living());
    }

    /** What the device takes, what is asked for (-1: the constant), how long packets are that go so. */
    @ParameterizedTest
    @CsvSource({
        "400, -1, 96",
        "400, 200, 200",
        "400, 0, 0",
        "200, 400, 200",
        "100, 800, 100",
        "70, -1, 48",
        "40, -1, 32",
        "0, -1, 0"
    })
    void packetsGoInlineAsFarAsTheDeviceTakesIt(int takes, int asked, int longest) {
        verbs.inline(takes);
        open(VerbsRanks.options(Map.of("sluice.ib.inline", Integer.toString(asked))));
        for (int packet = HEADER; packet < 500; packet += 4) {
            assertEquals(packet <= longest, isInline(packet - HEADER), "a packet of " + packet);
        }
        close();
    }

    /** Some drivers have other words for it. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENOMEM})
    void whateverADriverSaysItIsAskedForLess(int errno) {
        verbs.inline(70).refusesInline(errno);
        open(VerbsRanks.options(Map.of()));
        assertTrue(isInline(48 - HEADER) && !isInline(52 - HEADER));
        close();
    }

    /** It answers as if its queue were full. */
    @ParameterizedTest
    @CsvSource({"send", "write", "write-imm"})
    void aDriverThatTakesLessThanItSaysIsFoundOut(String eager) {
        verbs.inline(48).saysInline(96);
        open(LandingRanks.options(eager));
        int bytes = 0;
        for (int i = 0; i < 400; i++) {
            bytes = i < 100 ? 0 : i % 60;
            ranks[0].send(1, i, new byte[bytes]);
            assertEquals(bytes, ranks[1].receive().body().length);
            ranks[1].send(0, i, new byte[0]);
            ranks[0].receive();
        }
        assertTrue(inline(0) > 0 && inline(0) < 200, inline(0) + " went inline, and then none");
        assertTrue(!eager.equals("send") || inline(1) >= 400, "only of whom the driver refused something");
        close();
    }

    /** Places of its send queue are short. */
    @Test
    void aSmallConnectionAsksForNothing() {
        open(VerbsRanks.options(Map.of("sluice.ib.window", "8")));
        assertTrue(isInline(0) && !isInline(4));
        close();
    }

    /**
     * The library has taken them when the post returns: the place of one may be written again while it waits for a
     * receive slot.
     */
    @ParameterizedTest
    @CsvSource({"send", "write", "write-imm"})
    void whatIsOnTheWayIsNotTheNextPackets(String eager) {
        open(LandingRanks.options(
                eager, "sluice.ib.slots", "16", "sluice.ib.slots.most", "16", "sluice.ib.inline", "128"));
        Random random = new Random(7);
        byte[][] bodies = new byte[400][];
        int taken = 0;
        long before = inline(0);
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = new byte[random.nextInt(160)];
            random.nextBytes(bodies[i]);
            while (ranks[0].trySend(1, PacketKind.EAGER, 0, i, bodies[i], null) != Channel.SENT) {
                ranks[0].drive();
                taken = take(bodies, taken);
            }
        }
        while (taken < bodies.length) {
            ranks[0].drive();
            taken = take(bodies, taken);
        }
        assertTrue(inline(0) - before > 100, (inline(0) - before) + " of " + bodies.length);
        assertEquals(eager.equals("send"), LandingRanks.sum(ranks[0], Counter.LANDING_WRITES) == 0);
        close();
    }

    private int take(byte[][] bodies, int taken) {
        ranks[1].channel.poll(ranks[1].listener, 1000);
        int next = taken;
        for (RecordingListener.Packet each; (each = ranks[1].listener.packets.poll()) != null; next++) {
            assertEquals(next, each.tag());
            assertArrayEquals(bodies[next], each.body());
        }
        return next;
    }

    /** Less than one step of them, and none of it completes. */
    @Test
    void inlinePacketsHoldNoSlot() {
        open(VerbsRanks.options(Map.of(
                "sluice.ib.send.slots",
                "64",
                "sluice.ib.window",
                "1024",
                "sluice.ib.slots",
                "4096",
                "sluice.ib.credits",
                "4096")));
        for (int i = 0; i < 2000; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        long stalls = LandingRanks.sum(ranks[0], Counter.CREDIT_STALLS);
        for (int i = 0; i < 200; i++) {
            assertEquals(Channel.SENT, ranks[0].trySend(1, PacketKind.EAGER, 0, i, new byte[8], null), "packet " + i);
        }
        assertEquals(stalls, LandingRanks.sum(ranks[0], Counter.CREDIT_STALLS));
        ranks[1].await(200);
        close();
    }

    @Test
    void creditGoesInline() {
        open(VerbsRanks.options(Map.of()));
        for (int i = 0; i < 100; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        long credits = LandingRanks.sum(ranks[1], Counter.CREDIT_PACKETS);
        assertTrue(credits > 0);
        assertEquals(credits, inline(1), "it sent nothing else");
        close();
    }
}
