package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.sim.SimulatedVerbs;

/** Ranks that close without ever having talked to a peer, over a library that is simulated. */
final class UnmetPeerTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final HeldVerbs held = new HeldVerbs(simulated);
    private final Options options = VerbsRanks.options(Map.of());
    private final TestRank[] ranks = {
        VerbsRanks.rank(0, 2, options, held.calls(), null), VerbsRanks.rank(1, 2, options, simulated, null)
    };
    /** What rank 1 hears of rank 0. */
    private final List<String> heard = new ArrayList<>();

    private final RecordingListener listener = new RecordingListener() {
        @Override
        public void onPeerClosed(int peer) {
            heard.add("closed " + peer);
        }

        @Override
        public void onPeerFailed(int peer, boolean corrupt, String reason) {
            heard.add("failed " + peer + ": " + reason);
        }
    };

    @BeforeEach
    void introduce() {
        VerbsRanks.introduce(ranks);
    }

    @AfterEach
    void allIsGivenBack() {
        for (TestRank each : ranks) {
            each.channel.close();
            assertNull(each.channel.connecting().undelivered(1 - each.rank));
        }
        assertEquals(List.of(), simulated.wrongs());
        assertEquals(Map.of(), simulated.living());
    }

    private static IbChannel channel(TestRank rank) {
        return VerbsRanks.channel(rank);
    }

    private static long connections(TestRank rank) {
        long count = 0;
        for (Counters counters : rank.channel.counters()) {
            count += counters.get(Counter.CONNECTIONS);
        }
        return count;
    }

    private int trySend() {
        return ranks[1].trySend(0, PacketKind.EAGER, 0, 7, new byte[8], null);
    }

    private void awaitNews() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (heard.isEmpty()) {
            ranks[1].channel.poll(listener, 1);
            assertTrue(System.nanoTime() < deadline, "nothing heard: " + ranks[1].channel);
            Thread.sleep(1);
        }
        ranks[1].channel.poll(listener, 1);
    }

    private void assertClosed() {
        assertEquals(List.of("closed 0"), heard);
        assertEquals(Channel.PEER_FAILED, trySend());
        assertEquals(0, connections(ranks[0]));
        assertEquals(0, connections(ranks[1]));
    }

    @Test
    void whoSendsToOneThatLeftHearsThatItHasClosed() throws InterruptedException {
        assertTrue(ranks[0].channel.connecting().leaveUnmet(1));
        assertEquals(Channel.NO_RESOURCE, trySend());
        awaitNews();
        assertClosed();
    }

    /** Its request is answered by nobody, or by a connection manager in whose name nobody listens any more. */
    @Test
    void whoseRequestFindsNobodyHearsItFromTheJob() throws InterruptedException {
        assertTrue(ranks[0].channel.connecting().leaveUnmet(1));
        ranks[0].channel.close();
        assertEquals(Channel.NO_RESOURCE, trySend());
        Thread.sleep(20);
        channel(ranks[1]).closed(0);
        awaitNews();
        assertClosed();
    }

    @Test
    void whoSleepsIsWokenAndHearsIt() throws InterruptedException {
        int before = ranks[1].word.sequence();
        assertTrue(ranks[0].channel.connecting().leaveUnmet(1));
        Thread job = new Thread(() -> channel(ranks[1]).closed(0), "the job's");
        ranks[1].word.announceSleep();
        ranks[1].channel.arm();
        job.start();
        ranks[1].awaitRing(before);
        ranks[1].word.awake();
        job.join();
        awaitNews();
        assertClosed();
    }

    @Test
    void aDeathThatFollowsIsNoSecondEnd() throws InterruptedException {
        channel(ranks[1]).closed(0);
        channel(ranks[1]).lost(0);
        awaitNews();
        channel(ranks[1]).lost(0);
        ranks[1].channel.poll(listener, 1);
        assertClosed();
    }

    @Test
    void aDeathThatWasHeardOfStays() throws InterruptedException {
        channel(ranks[1]).lost(0);
        channel(ranks[1]).closed(0);
        awaitNews();
        assertEquals(List.of("failed 0: its process, or its machine, has ended"), heard);
    }

    @Test
    void bothMayLeaveAtOnce() {
        assertTrue(ranks[0].channel.connecting().leaveUnmet(1));
        assertTrue(ranks[1].channel.connecting().leaveUnmet(0));
        channel(ranks[0]).closed(1);
        channel(ranks[1]).closed(0);
        ranks[1].channel.poll(listener, 1);
        assertEquals(List.of(), heard, "it is over for this rank too");
    }

    @Test
    void oneThatWasTalkedToIsNotLeftSo() throws InterruptedException {
        VerbsRanks.join(ranks[0], ranks[1]);
        assertFalse(ranks[0].channel.connecting().leaveUnmet(1));
        assertFalse(ranks[1].channel.connecting().leaveUnmet(0));
        assertEquals(1, connections(ranks[0]));
        assertEquals(1, connections(ranks[1]));
        channel(ranks[1]).closed(0);
        ranks[0].send(1, 5, new byte[5]);
        assertEquals(5, ranks[1].receive().tag(), "what nobody can truly say ends nothing");
        for (TestRank each : ranks) {
            assertEquals(Channel.SENT, each.trySend(1 - each.rank, PacketKind.CLOSE, 0, 0, new byte[0], null));
        }
    }

    private void awaitState(ConnectionState wanted) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (channel(ranks[1]).state(0) != wanted) {
            ranks[1].channel.poll(listener, 1);
            assertTrue(System.nanoTime() < deadline, wanted + " never came: " + ranks[1].channel);
            Thread.sleep(1);
        }
    }

    /** Rank 1 has asked, and hears that rank 0 closes before rank 0 has seen that. */
    private void askUnseen() throws InterruptedException {
        held.hold(HeldVerbs.EVENTS);
        assertEquals(Channel.NO_RESOURCE, trySend());
        awaitState(ConnectionState.CONNECTING);
        channel(ranks[1]).closed(0);
        ranks[1].channel.poll(listener, 1);
        assertEquals(ConnectionState.CONNECTING, channel(ranks[1]).state(0), "it may still be accepted");
        assertTrue(ranks[0].channel.connecting().isUnmet(1));
    }

    @Test
    void aRequestOnItsWayToOneThatLeavesIsRefusedAsByOneThatHasClosed() throws InterruptedException {
        askUnseen();
        assertTrue(ranks[0].channel.connecting().leaveUnmet(1));
        held.release();
        awaitNews();
        assertClosed();
    }

    @Test
    void oneThatIsAcceptedBeforehandStandsUntilTheCloseComesThere() throws InterruptedException {
        askUnseen();
        held.release();
        awaitState(ConnectionState.READY);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (channel(ranks[0]).state(1) != ConnectionState.READY) {
            ranks[0].drive();
            assertTrue(System.nanoTime() < deadline, "no connection: " + ranks[0].channel);
        }
        assertFalse(ranks[0].channel.connecting().leaveUnmet(1));
        assertEquals(Channel.SENT, ranks[0].trySend(1, PacketKind.CLOSE, 0, 0, new byte[0], null));
        while (listener.packets.isEmpty()) {
            ranks[1].channel.poll(listener, 1);
            assertTrue(System.nanoTime() < deadline, "no CLOSE: " + ranks[1].channel);
        }
        assertEquals(PacketKind.CLOSE, listener.packets.remove().kind());
        assertEquals(List.of(), heard);
        assertEquals(Channel.SENT, ranks[1].trySend(0, PacketKind.CLOSE, 0, 0, new byte[0], null));
    }

    @Test
    void norIsOneWhoseConnectionIsBeingMade() {
        assertTrue(ranks[1].channel.connecting().isUnmet(0));
        assertEquals(Channel.NO_RESOURCE, trySend());
        assertFalse(ranks[1].channel.connecting().isUnmet(0));
        assertFalse(ranks[1].channel.connecting().leaveUnmet(0));
        VerbsRanks.join(ranks[1], ranks[0]);
        for (TestRank each : ranks) {
            assertEquals(Channel.SENT, each.trySend(1 - each.rank, PacketKind.CLOSE, 0, 0, new byte[0], null));
        }
    }

    /**
     * Rank 1 sends just as rank 0 leaves: either there is a connection, and rank 0 knows, or rank 1 hears that rank 0
     * has closed. Each by itself, step by step, is above:
     * {@link #oneThatIsAcceptedBeforehandStandsUntilTheCloseComesThere},
     * {@link #aRequestOnItsWayToOneThatLeavesIsRefusedAsByOneThatHasClosed}; here are the steps between.
     */
    @Test
    void whoeverIsFirstBothAgreeOnWhetherTheyMet() throws InterruptedException {
        long seed = new Random().nextLong();
        System.out.println("UnmetPeerTest seed " + seed);
        Random random = new Random(seed);
        int met = 0;
        int rounds = 100;
        for (int round = 0; round < rounds; round++) {
            TestRank[] pair = VerbsRanks.apart(2, options, simulated);
            List<Integer> closed = new ArrayList<>();
            RecordingListener hears = new RecordingListener() {
                @Override
                public void onPeerClosed(int peer) {
                    closed.add(peer);
                }
            };
            assertEquals(Channel.NO_RESOURCE, pair[1].trySend(0, PacketKind.EAGER, 0, 7, new byte[8], null));
            LockSupport.parkNanos(random.nextInt(300_000));
            boolean left = pair[0].channel.connecting().leaveUnmet(1);
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (closed.isEmpty() && channel(pair[1]).state(0) != ConnectionState.READY) {
                pair[0].drive();
                pair[1].channel.poll(hears, 1);
                assertTrue(
                        System.nanoTime() < deadline,
                        "round " + round + ", seed " + seed + ": " + pair[0].channel + " and " + pair[1].channel);
            }
            assertEquals(left, !closed.isEmpty(), "round " + round + ", seed " + seed);
            assertEquals(List.of(), hears.failures, "round " + round + ", seed " + seed);
            met += left ? 0 : 1;
            for (TestRank each : pair) {
                each.channel.close();
            }
        }
        System.out.println("UnmetPeerTest: met in " + met + " of " + rounds + " rounds");
    }
}
