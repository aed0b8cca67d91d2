package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/** A peer that was busy gives back what it borrowed, when another one is busy and there is nothing left to lend. */
@Tag("verbs")
final class CreditReturnsRxeTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int MOST = 16;

    private final TestRank[] ranks = VerbsRanks.apart(
            3,
            VerbsRanks.options(Map.of(
                    "sluice.ib.slots",
                    "40",
                    "sluice.ib.slots.most",
                    "40",
                    "sluice.ib.credits",
                    Integer.toString(MOST),
                    "sluice.ib.window",
                    "64",
                    "sluice.ib.body.bytes",
                    "256")),
            VerbsRanks.verbs());

    private static long count(TestRank rank, Counter counter) {
        long count = 0;
        for (Counters each : VerbsRanks.channel(rank).counters()) {
            count += each.get(counter);
        }
        return count;
    }

    /** Sends as much at a time as there is credit for; rank 0 takes it all. */
    private void stream(int from, int packets, boolean looks) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int sent = 0;
        int taken = 0;
        while (taken < packets) {
            while (sent < packets
                    && ranks[from].trySend(0, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
                sent++;
            }
            ranks[0].channel.poll(ranks[0].listener, Integer.MAX_VALUE);
            for (; !ranks[0].listener.packets.isEmpty(); taken++) {
                assertEquals(taken, ranks[0].listener.packets.remove().tag());
            }
            ranks[1].drive();
            ranks[2].drive();
            if (looks) {
                ranks[0].channel.checkPeers(ranks[0].listener);
            }
            assertTrue(
                    System.nanoTime() < deadline,
                    "stuck at " + taken + ": " + VerbsRanks.channel(ranks[0]) + ", " + ranks[0].listener.failures);
        }
    }

    /** As many as leave while rank 0 takes nothing. */
    private int burst(int from) {
        int sent = 0;
        while (ranks[from].trySend(0, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
            sent++;
        }
        ranks[0].await(sent);
        ranks[0].listener.packets.clear();
        return sent;
    }

    /**
     * The first that is long enough, or the longest: credit is told when little is left, so one burst may find less
     * than its rank was given.
     */
    private int longestBurst(int from, int enough) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int longest = 0;
        while (longest < enough && System.nanoTime() < deadline) {
            longest = Math.max(longest, burst(from));
            for (int i = 0; i < 10; i++) {
                ranks[0].drive();
                ranks[from].drive();
                Thread.sleep(1);
            }
        }
        return longest;
    }

    @Test
    void whatAQuietPeerBorrowedGoesToABusyOne() throws InterruptedException {
        VerbsRanks.join(ranks[1], ranks[0]);
        VerbsRanks.join(ranks[2], ranks[0]);
        stream(1, 200, false);
        stream(2, 200, false);
        assertEquals(0, count(ranks[0], Counter.CREDITS_RETURNED), "nobody looked");
        stream(2, 400, true);
        long back = count(ranks[0], Counter.CREDITS_RETURNED);
        assertTrue(back >= MOST / 2, back + " were given back");
        // Slow packets make a busy peer look quiet between two looks, and it is asked too: what it takes up again
        // without them is its own.
        stream(2, 400, false);
        int longest = longestBurst(2, MOST / 2);
        assertTrue(longest >= MOST / 2, "the busy one got it: " + longest);
        assertEquals(1, burst(1), "the quiet one keeps one");
        stream(1, 100, true);
        stream(2, 100, true);
        for (TestRank each : ranks) {
            assertEquals(0, each.listener.failures.size(), each.listener.failures.toString());
            each.channel.close();
        }
    }
}
