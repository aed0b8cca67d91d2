package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * What a receiver calls the library for, which no counter has, over a library that is simulated and counts its calls.
 */
final class ReceiveCallsTest {
    private static final int MESSAGES = 64;
    private static final int WARM_UP = 1000;
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    /** Each packet by itself, and credit for all of them at any time, as news of it comes when half is used up. */
    private final Options options = VerbsRanks.options(Map.of("sluice.ib.coalesce", "off", "sluice.ib.credits", "256"));

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final CountingVerbs counting = new CountingVerbs(simulated);
    private final TestRank[] ranks = {
        VerbsRanks.rank(0, 2, options, simulated, null), VerbsRanks.rank(1, 2, options, counting.calls(), null)
    };

    /**
     * So many that rank 0 has borrowed credit for all that follow, which rank 1 doesn't look for before all are there.
     */
    private void sendAll() {
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        for (int i = 0; i < WARM_UP; i++) {
            ranks[0].send(1, i, new byte[8]);
            assertEquals(i, ranks[1].receive().tag());
            ranks[0].drive();
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int sent = 0; sent < MESSAGES; ) {
            if (ranks[0].trySend(1, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
                sent++;
            } else {
                ranks[0].drive();
                assertTrue(System.nanoTime() < deadline, sent + " were sent: " + ranks[0].channel);
            }
        }
    }

    private void close() {
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i, ranks[1].listener.packets.remove().tag());
        }
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
            each.channel.close();
        }
    }

    @Test
    void underLoadACallTakesEightCompletionsAtLeastAndPostsAsManySlots() {
        sendAll();
        int polls = counting.callsOf("poll");
        int posts = counting.callsOf("postReceive");
        ranks[1].await(MESSAGES);
        polls = counting.callsOf("poll") - polls;
        posts = counting.callsOf("postReceive") - posts;
        assertTrue(polls <= MESSAGES / 8 + 1, polls + " calls, of which the last found nothing");
        assertTrue(posts <= MESSAGES / 8, posts + " calls that post slots");
        close();
    }

    /** As does a rank that sends without end, and in between looks for what is there. */
    @Test
    void whoeverTakesOnePacketAtATimeFetchesAsManyCompletionsTogether() {
        sendAll();
        int polls = counting.callsOf("poll");
        for (int i = 1; i <= MESSAGES; i++) {
            assertEquals(1, ranks[1].channel.poll(ranks[1].listener, 1));
            assertEquals(i, ranks[1].listener.packets.size());
        }
        polls = counting.callsOf("poll") - polls;
        assertTrue(polls <= MESSAGES / 8 + 1, polls + " calls");
        close();
    }
}
