package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.sim.SimulatedVerbs;

/** A device that is taken away; {@code DeviceEventsRxeTest} has the kernel's own word for it. */
final class RemovedDeviceTest {
    private static final String REASON = "the RDMA device of this rank was removed";
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final SimulatedVerbs verbs = new SimulatedVerbs();

    private static void awaitFailures(TestRank rank, Set<Integer> peers) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!rank.listener.failures.stream()
                .map(RecordingListener.Failure::peer)
                .collect(Collectors.toSet())
                .equals(peers)) {
            rank.channel.poll(rank.listener, 10);
            assertTrue(
                    System.nanoTime() < deadline,
                    "rank " + rank.rank + " heard of " + rank.listener.failures + " only");
            Thread.sleep(1);
        }
        for (int peer : peers) {
            assertEquals(Channel.PEER_FAILED, rank.trySend(peer, PacketKind.EAGER, 0, 7, new byte[8], null));
        }
    }

    private void close(TestRank... ranks) {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), verbs.wrongs());
        assertEquals(Map.of(), verbs.living());
    }

    /** A receive from rank 2, to which nobody ever sent, would else wait for ever. */
    @Test
    void peersThatNobodyHasSentToFailToo() throws InterruptedException {
        TestRank[] ranks = VerbsRanks.apart(3, VerbsRanks.options(Map.of("sluice.close.timeout.ms", "1000")), verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
        assertEquals(ConnectionState.IDLE, VerbsRanks.channel(ranks[0]).state(2));
        verbs.remove();
        awaitFailures(ranks[0], Set.of(1, 2));
        awaitFailures(ranks[1], Set.of(0, 2));
        awaitFailures(ranks[2], Set.of(0, 1));
        assertTrue(
                ranks[0].listener.failures.stream()
                        .anyMatch(each -> each.peer() == 2 && each.reason().equals(REASON)),
                ranks[0].listener.failures.toString());
        close(ranks);
    }

    /** Only its listener is told. */
    @Test
    void aRankWithoutAnyConnectionHearsOfIt() throws InterruptedException {
        TestRank[] ranks = VerbsRanks.apart(2, VerbsRanks.options(Map.of()), verbs);
        verbs.remove();
        awaitFailures(ranks[0], Set.of(1));
        assertEquals(REASON, ranks[0].listener.failures.get(0).reason());
        close(ranks);
    }
}
