package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * Which peers of a rank have a landing ring, where there are fewer rings than peers; over a library that is simulated.
 */
final class BusiestPeersTest {
    /** More than makes a peer busy, and takes a ring from another. */
    private static final int BURST = 400;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private TestRank[] ranks = {};
    private int sent;

    private void open(int peers, String eager, int rings) {
        ranks = VerbsRanks.joined(
                1 + peers, LandingRanks.options(eager, "sluice.ib.landing.peers", Integer.toString(rings)), simulated);
    }

    /**
     * Sends from a peer to rank 0, and checks what comes.
     *
     * @return how many of them were written to a ring
     */
    private long burst(int peer, int count) {
        long before = LandingRanks.sum(ranks[peer], Counter.LANDING_WRITES);
        for (int i = 0; i < count; i++) {
            byte[] body = {(byte) sent, (byte) peer, 7};
            ranks[peer].send(0, ++sent, body);
            var packet = ranks[0].receive();
            assertEquals(peer, packet.peer());
            assertEquals(sent, packet.tag());
            assertArrayEquals(body, packet.body());
            for (TestRank each : ranks) {
                each.drive();
            }
        }
        return LandingRanks.sum(ranks[peer], Counter.LANDING_WRITES) - before;
    }

    private int regions() {
        return simulated.living().get("Region");
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            assertTrue(each.listener.failures.isEmpty(), each.listener.failures.toString());
            each.channel.close();
        }
        assertEquals(Map.of(), simulated.living());
        assertEquals(List.of(), simulated.wrongs());
    }

    /** It goes round as often as one likes, and there is never memory for more rings than there may be. */
    @ParameterizedTest
    @ValueSource(strings = {"write", "write-imm"})
    void theRingOfAPeerThatBecameQuietGoesToABusyOne(String eager) {
        open(3, eager, 1);
        int without = regions();
        for (int round = 0; round < 4; round++) {
            for (int peer = 1; peer <= 3; peer++) {
                long written = burst(peer, BURST);
                assertTrue(
                        written > BURST / 4,
                        "round " + round + ": " + written + " of " + BURST + " of peer " + peer + " were written");
                assertEquals(without + 1, regions(), "one ring");
                assertTrue(burst(peer, 100) > 90, "it keeps its ring");
            }
        }
    }

    @Test
    void theQuietestOfSeveralGoes() {
        open(3, "write", 2);
        assertTrue(burst(1, BURST) > 0);
        assertTrue(burst(2, BURST) > 0);
        long thirds = 0;
        for (int i = 0; i < BURST; i++) {
            assertEquals(1, burst(1, 1));
            thirds += burst(3, 1);
        }
        assertTrue(thirds > BURST / 4, thirds + " of " + BURST + " of peer 3 were written");
        assertEquals(100, burst(1, 100), "it was as busy as the third");
        assertEquals(0, burst(2, 10), "it was quiet, and has no ring now");
    }

    /** Rings don't go to and fro between peers that are about as busy: news of that would cost more than it saves. */
    @Test
    void whoeverIsAsBusyKeepsItsRing() {
        open(2, "write", 1);
        assertTrue(burst(1, BURST) > 0);
        burst(2, 64);
        long news = LandingRanks.sum(ranks[0], Counter.LANDING_NEWS);
        for (int i = 0; i < 2 * BURST; i++) {
            assertEquals(1, burst(1, 1));
            assertEquals(0, burst(2, 1));
        }
        assertEquals(news, LandingRanks.sum(ranks[0], Counter.LANDING_NEWS));
    }

    /** A peer whose ring was taken hears of a sleep and all that follows as the others do. */
    @Test
    void aSleepBetweenTakesNothingAway() {
        open(2, "write", 1);
        assertTrue(burst(1, BURST) > 0);
        ranks[0].prepareSleep(ranks);
        assertTrue(burst(2, BURST) > 0, "a ring that nobody writes to is free at once");
        assertTrue(burst(1, BURST) > 0);
    }
}
