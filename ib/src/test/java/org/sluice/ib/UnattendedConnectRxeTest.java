package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.queue.Credits;

/** Connections come and go by the helpers alone, whatever the programs do meanwhile. */
@Tag("all")
@Tag("verbs")
final class UnattendedConnectRxeTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int CLOSE_TIMEOUT_MS = 20_000;
    private static final Options OPTIONS = Options.of(Map.of(
            "sluice.ib.slots",
            "32",
            "sluice.ib.body.bytes",
            "256",
            "sluice.ib.send.slots",
            "64",
            "sluice.ib.connect.timeout.ms",
            "20000",
            "sluice.close.timeout.ms",
            Integer.toString(CLOSE_TIMEOUT_MS)));

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final CountingVerbs counting = new CountingVerbs(VerbsRanks.verbs());
    private TestRank[] ranks = new TestRank[0];
    private HeldVerbs[] held = new HeldVerbs[0];

    private void open() {
        held = new HeldVerbs[] {new HeldVerbs(counting.calls()), new HeldVerbs(counting.calls())};
        ranks = new TestRank[held.length];
        for (int rank = 0; rank < held.length; rank++) {
            ranks[rank] = VerbsRanks.rank(rank, held.length, OPTIONS, held[rank].calls(), null);
        }
        VerbsRanks.introduce(ranks);
    }

    private ConnectionState state(int rank, int peer) {
        return VerbsRanks.channel(ranks[rank]).state(peer);
    }

    private void release() {
        for (HeldVerbs each : held) {
            each.release();
        }
    }

    @AfterEach
    void end() {
        release();
        close();
    }

    private void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        ranks = new TestRank[0];
        assertEquals(Map.of(), counting.living(), "given back, seed " + seed);
    }

    private void awaitState(int rank, int peer, ConnectionState wanted) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (state(rank, peer) != wanted) {
            Thread.sleep(1);
            assertTrue(System.nanoTime() < deadline, () -> wanted + " never came: " + VerbsRanks.channel(ranks[rank]));
        }
    }

    @Test
    void nobodyNeedsToPollForAConnection() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            open();
            int asks = random.nextInt(3);
            for (int rank = 0; rank < 2; rank++) {
                if (asks == rank || asks == 2) {
                    VerbsRanks.channel(ranks[rank]).want(1 - rank);
                }
            }
            awaitState(0, 1, ConnectionState.READY);
            awaitState(1, 0, ConnectionState.READY);
            for (int rank = 0; rank < 2; rank++) {
                assertEquals(Channel.SENT, ranks[rank].trySend(1 - rank, PacketKind.EAGER, 0, rank, new byte[1], null));
            }
            assertEquals(1, ranks[0].receive().tag());
            assertEquals(0, ranks[1].receive().tag());
            assertTrue(ranks[0].listener.failures.isEmpty() && ranks[1].listener.failures.isEmpty(), "seed " + seed);
            close();
        }
    }

    @Test
    void allAreConnectedFromTheOpeningOn() throws InterruptedException {
        ranks = VerbsRanks.apart(3, VerbsRanks.options(Map.of()), VerbsRanks.verbs());
        for (TestRank rank : ranks) {
            VerbsRanks.channel(rank).start(true);
        }
        for (int rank = 0; rank < ranks.length; rank++) {
            for (int peer = 0; peer < ranks.length; peer++) {
                if (peer != rank) {
                    awaitState(rank, peer, ConnectionState.READY);
                }
            }
        }
    }

    @Test
    void nobodyIsConnectedUnlessItIsAskedFor() throws InterruptedException {
        open();
        VerbsRanks.channel(ranks[0]).start(false);
        Thread.sleep(300);
        assertEquals(ConnectionState.IDLE, state(0, 1));
    }

    /** It computes; its peer connects, sends, closes and is gone before it looks. */
    @Test
    void whoNeverPollsHoldsNobodyUp() {
        open();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int tag = 0; tag < Credits.LEAST; ) {
            int kind = tag == Credits.LEAST - 1 ? PacketKind.CLOSE : PacketKind.EAGER;
            if (ranks[0].trySend(1, kind, 0, tag, new byte[0], null) == Channel.SENT) {
                tag++;
            }
            ranks[0].drive();
            assertTrue(System.nanoTime() < deadline, "no connection: " + VerbsRanks.channel(ranks[0]));
        }
        long begin = System.nanoTime();
        ranks[0].channel.close();
        assertTrue(
                System.nanoTime() - begin < CLOSE_TIMEOUT_MS * 500_000L, "close waited for a peer that does not poll");
        List<String> order = new ArrayList<>();
        RecordingListener listener = VerbsRanks.ordering(order);
        while (!order.contains("failed")) {
            ranks[1].channel.poll(listener, 1);
            assertTrue(System.nanoTime() < deadline, order.toString());
        }
        assertEquals(List.of("packet 0", "packet 1", "failed"), order);
    }

    /** Ranks of one JVM share the device's context, and any of them may take what concerns another. */
    @Test
    void whatTheDeviceReportsReachesTheRankThatItConcerns() throws InterruptedException {
        open();
        VerbsRanks.join(ranks[0], ranks[1]);
        held[0].report(AsyncKind.PORT_ERR.ordinal(), 1);
        held[0].report(AsyncKind.QP_FATAL.ordinal(), held[1].queuePairNumber());
        String reason = ranks[1].awaitFailure().reason();
        assertTrue(reason.contains(AsyncKind.QP_FATAL.text()), reason);
        // To rank 0 this is only a peer that is gone.
        reason = ranks[0].awaitFailure().reason();
        assertFalse(reason.contains(AsyncKind.QP_FATAL.text()), reason);
    }

    /** Has rank 0's connection to rank 1 stay in a state. */
    private void holdIn(ConnectionState wanted) throws InterruptedException {
        int asks = wanted == ConnectionState.ACCEPTING ? 1 : 0;
        if (wanted == ConnectionState.WANTED) {
            held[0].hold(HeldVerbs.WAITING);
        } else if (wanted == ConnectionState.RESOLVING || wanted == ConnectionState.ACCEPTING) {
            held[0].hold(HeldVerbs.EVENTS);
        } else if (wanted == ConnectionState.CONNECTING) {
            held[1].hold(HeldVerbs.EVENTS);
        }
        if (wanted != ConnectionState.IDLE) {
            VerbsRanks.channel(ranks[asks]).want(1 - asks);
        }
        if (wanted == ConnectionState.ACCEPTING) {
            awaitState(1, 0, ConnectionState.CONNECTING);
            held[1].hold(HeldVerbs.EVENTS);
            held[0].release();
        }
        awaitState(0, 1, wanted);
    }

    @Test
    void disconnectAndCloseInEveryState() throws InterruptedException {
        ConnectionState[] reached = {
            ConnectionState.IDLE,
            ConnectionState.WANTED,
            ConnectionState.RESOLVING,
            ConnectionState.CONNECTING,
            ConnectionState.ACCEPTING,
            ConnectionState.READY
        };
        for (ConnectionState each : reached) {
            for (boolean closes : new boolean[] {false, true}) {
                open();
                holdIn(each);
                Thread releasing = new Thread(() -> {
                    LockSupport.parkNanos(50_000_000);
                    release();
                });
                releasing.start();
                if (!closes) {
                    ranks[0].channel.disconnect(1);
                    assertEquals(ConnectionState.OVER, state(0, 1));
                    assertEquals(Channel.PEER_FAILED, ranks[0].trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
                    releasing.join();
                    for (int i = 0; i < 20; i++) {
                        ranks[0].drive();
                        ranks[1].drive();
                        Thread.sleep(1);
                    }
                    assertEquals(0, ranks[0].listener.failures.size(), "who disconnected is not told");
                }
                close();
                releasing.join();
            }
        }
    }
}
