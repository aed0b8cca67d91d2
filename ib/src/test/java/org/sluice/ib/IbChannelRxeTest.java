package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;

/** The channel contract over real verbs, between ranks of one machine. */
@Tag("verbs")
final class IbChannelRxeTest extends GetCases {
    @Override
    protected TestRank[] open(int count) {
        return VerbsRanks.joined(count, VerbsRanks.options(Map.of()), VerbsRanks.verbs());
    }

    @Override
    protected int many(int count) {
        return count / 20;
    }

    @Override
    protected int lengthStep() {
        return 7;
    }

    private static long sum(TestRank rank, Counter counter) {
        long sum = 0;
        for (var counters : VerbsRanks.channel(rank).counters()) {
            sum += counters.get(counter);
        }
        return sum;
    }

    @Test
    void anEagerPacketIsOneWorkRequestAndOneCrossing() {
        long requests = sum(ranks[0], Counter.WORK_REQUESTS);
        long crossings = sum(ranks[0], Counter.NATIVE_CROSSINGS);
        long credits = sum(ranks[0], Counter.CREDIT_PACKETS);
        for (int i = 0; i < 200; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
            ranks[1].send(0, i, new byte[8]);
            ranks[0].receive();
        }
        assertEquals(0, sum(ranks[0], Counter.CREDIT_PACKETS) - credits, "answers carry the credit");
        assertEquals(200, sum(ranks[0], Counter.WORK_REQUESTS) - requests);
        assertEquals(200, sum(ranks[0], Counter.NATIVE_CROSSINGS) - crossings);
    }

    @Test
    void aBusyPeerBorrowsAndOneThatOnlyReceivesReturnsIt() {
        for (int i = 0; i < 2000; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        long news = sum(ranks[1], Counter.CREDIT_PACKETS);
        assertTrue(news > 0 && news < 500, news + " packets of credit for 2000 messages");
    }
}
