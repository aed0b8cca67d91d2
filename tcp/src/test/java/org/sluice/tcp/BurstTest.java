package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.tcp.stream.FrameHeader;

/** Short messages that follow each other share writes, and none waits for a call that may never come. */
final class BurstTest {
    private static final int WINDOW = 64;
    private static final int MOST_ROUNDS = 2000;

    private TestRank[] ranks;

    @BeforeEach
    void open() {
        ranks = TcpRanks.joined(2, TcpRanks.options());
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private long writes() {
        return count(Counter.SOCKET_WRITES);
    }

    private long count(Counter counter) {
        long sum = 0;
        for (Counters each : ranks[0].channel.counters()) {
            sum += each.get(counter);
        }
        return sum;
    }

    /** One of the rounds is not interrupted for long; all arrive in order. */
    @Test
    void aWindowLeavesInAFewWrites() {
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && fewest > WINDOW / 4; round++) {
            long before = writes();
            for (int i = 0; i < WINDOW; i++) {
                ranks[0].send(1, i, new byte[8]);
            }
            ranks[0].drive();
            fewest = Math.min(fewest, writes() - before);
            for (int i = 0; i < WINDOW; i++) {
                assertEquals(i, ranks[1].receive().tag());
            }
        }
        assertTrue(fewest <= WINDOW / 4, WINDOW + " messages took " + fewest + " writes at best");
    }

    /** The sender's program makes no call any more. */
    @Test
    void whatWaitsForMoreGoesByItself() {
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 3; i++) {
                ranks[0].send(1, i, new byte[8]);
            }
            for (int i = 0; i < 3; i++) {
                assertEquals(i, ranks[1].receive().tag());
            }
        }
    }

    /** Between two messages of a round trip lies a poll. */
    @Test
    void whoAnswersWaitsForNothing() {
        ranks[0].drive();
        long before = writes();
        for (int round = 0; round < WINDOW; round++) {
            ranks[0].send(1, round, new byte[8]);
            assertEquals(before + round + 1, writes());
            assertEquals(round, ranks[1].receive().tag());
            ranks[1].send(0, round, new byte[8]);
            assertEquals(round, ranks[0].receive().tag());
        }
    }

    /** Several have waited for a connection, and were withdrawn before it stood. */
    @Test
    void whatWasGatheredBeforeAConnectionHoldsNothingBack() {
        close();
        ranks = TcpRanks.apart(2, TcpRanks.options());
        ranks[0].channel.coalescing().gather(1);
        assertEquals(Channel.NO_RESOURCE, ranks[0].trySend(1, PacketKind.EAGER, 0, 1, new byte[8], null));
        assertTrue(ranks[0].channel.coalescing().flush(1));
        ranks[0].send(1, 5, new byte[8]);
        assertEquals(5, ranks[1].receive().tag());
    }

    /** Of the socket, and of the connection in the channel's own words. */
    @Test
    void bytesAreCountedWithTheirHeaders() {
        ranks[0].drive();
        long before = count(Counter.SOCKET_BYTES);
        ranks[0].send(1, 3, new byte[8]);
        ranks[0].drive();
        assertEquals(3, ranks[1].receive().tag());
        assertEquals(FrameHeader.BYTES + 8, count(Counter.SOCKET_BYTES) - before);
        String text = ranks[0].channel.toString();
        String port = ":" + TcpRanks.channel(ranks[1]).port();
        assertTrue(text.contains(writes() + " writes of " + count(Counter.SOCKET_BYTES) + " bytes, 0 stalls"), text);
        assertTrue(text.contains(port), text + " has no " + port);
    }
}
