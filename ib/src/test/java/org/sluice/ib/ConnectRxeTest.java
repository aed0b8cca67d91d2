package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.wire.Greeting;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** How connections are made, refused, given up and ended. */
@Tag("verbs")
final class ConnectRxeTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int TIMEOUT_MS = 4000;
    private static final Map<String, String> SMALL = Map.of(
            "sluice.ib.slots",
            "32",
            "sluice.ib.body.bytes",
            "256",
            "sluice.ib.send.slots",
            "64",
            "sluice.ib.connect.timeout.ms",
            Integer.toString(TIMEOUT_MS));

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final CountingVerbs counting = new CountingVerbs(verbs);
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestRank[] ranks = new TestRank[0];

    /** @param job with ranks that are no channel of this test */
    private void open(int count, int job) {
        ranks = VerbsRanks.apart(count, job, Options.of(SMALL), counting.calls());
    }

    private RawPeer rawPeer() {
        RawPeer peer = new RawPeer(verbs, factsOf(0).address(), this::drive);
        open.add(peer);
        return peer;
    }

    private IbFacts factsOf(int rank) {
        return IbFacts.decode(rank, VerbsRanks.channel(ranks[rank]).facts());
    }

    private void drive() {
        for (TestRank each : ranks) {
            each.channel.poll(each.listener, 100);
        }
    }

    private ConnectionState state(int rank, int peer) {
        return VerbsRanks.channel(ranks[rank]).state(peer);
    }

    private void driveUntil(int rank, int peer, ConnectionState wanted) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (state(rank, peer) != wanted) {
            drive();
            assertTrue(System.nanoTime() < deadline, () -> wanted + " never came: " + VerbsRanks.channel(ranks[rank]));
        }
    }

    private void closeRanks() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        ranks = new TestRank[0];
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        closeRanks();
        assertEquals(Map.of(), counting.living(), "given back, seed " + seed);
    }

    @Test
    void bothSidesAtOnce() {
        System.out.println("ConnectRxeTest seed " + seed);
        for (int round = 0; round < 25; round++) {
            open(2, 2);
            byte[] body = {1, 2, 3};
            boolean[] taken = new boolean[2];
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!taken[0]
                    || !taken[1]
                    || ranks[0].listener.packets.isEmpty()
                    || ranks[1].listener.packets.isEmpty()) {
                // One may be some steps ahead of the other, so that the requests cross at any point.
                int side = random.nextInt(2);
                for (int steps = random.nextInt(4); steps >= 0; steps--) {
                    taken[side] = taken[side]
                            || ranks[side].trySend(1 - side, PacketKind.EAGER, 0, round, body, null) == Channel.SENT;
                    ranks[side].channel.poll(ranks[side].listener, 10);
                }
                assertTrue(
                        System.nanoTime() < deadline,
                        "round " + round + ", seed " + seed + ": " + VerbsRanks.channel(ranks[0]) + " and "
                                + VerbsRanks.channel(ranks[1]));
            }
            assertEquals(1, ranks[0].listener.packets.size());
            assertEquals(1, ranks[1].listener.packets.size());
            assertTrue(ranks[0].listener.failures.isEmpty() && ranks[1].listener.failures.isEmpty(), "seed " + seed);
            closeRanks();
            assertEquals(Map.of(), counting.living(), "round " + round + ", seed " + seed);
        }
    }

    /**
     * The accepting side's word that the connection stands may come after the first packets: credit for them is owed
     * all the same.
     */
    @Test
    void creditIsToldThoughPacketsComeBeforeTheConnectionIsSaidToStand() {
        open(2, 2);
        for (int i = 0; i < 40; i++) {
            byte[] body = {(byte) i};
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (ranks[0].trySend(1, PacketKind.EAGER, 0, i, body, null) != Channel.SENT) {
                drive();
                assertTrue(
                        System.nanoTime() < deadline,
                        "stuck at packet " + i + ": " + VerbsRanks.channel(ranks[0]) + " and "
                                + VerbsRanks.channel(ranks[1]));
            }
        }
        ranks[1].await(40);
    }

    @Test
    void strangersAreRefusedAndThePeerStillConnects() {
        open(2, 2);
        RawPeer raw = rawPeer();
        IbFacts target = factsOf(0);
        IbFacts peer = factsOf(1);
        byte[] good = new Greeting(1, 0, peer.process(), target.secret()).encode();
        byte[] otherVersion = good.clone();
        otherVersion[7]++;
        byte[] otherMagic = good.clone();
        otherMagic[0]++;
        List<byte[]> greetings = List.of(
                new Greeting(1, 0, peer.process(), Unguessable.uuid()).encode(),
                new Greeting(1, 0, Unguessable.uuid(), target.secret()).encode(),
                new Greeting(1, 1, peer.process(), target.secret()).encode(),
                new Greeting(0, 0, peer.process(), target.secret()).encode(),
                new Greeting(-1, 0, peer.process(), target.secret()).encode(),
                new Greeting(1 << 20, 0, peer.process(), target.secret()).encode(),
                otherVersion,
                otherMagic,
                // What is missing arrives as zeros, which one byte of the secret may be.
                Arrays.copyOf(good, Greeting.BYTES - Long.BYTES),
                new byte[56],
                new byte[0]);
        for (int i = 0; i < greetings.size(); i++) {
            int stranger = i;
            assertEquals(VerbsLayout.REJECTED, raw.connect(target, greetings.get(i)), () -> "stranger " + stranger);
            raw.drop();
        }
        assertEquals(ConnectionState.IDLE, state(0, 1));
        VerbsRanks.join(ranks[1], ranks[0]);
        // Whoever knows everything still gets no second connection.
        assertEquals(VerbsLayout.REJECTED, raw.connect(target, good));
        ranks[0].send(1, 5, new byte[5]);
        assertEquals(5, ranks[1].receive().tag());
    }

    @Test
    void whoListensButIsNotThePeerIsNotBelieved() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            open(1, 2);
            RawPeer raw = rawPeer();
            IbFacts pretended = raw.facts(1, 256);
            VerbsRanks.channel(ranks[0]).add(1, pretended.encode());
            VerbsRanks.channel(ranks[0]).want(1);
            byte[] answer = i == 0
                    ? new byte[0]
                    : new Greeting(
                                    i == 1 ? 0 : 1,
                                    0,
                                    pretended.process(),
                                    i == 1 ? factsOf(0).secret() : Unguessable.uuid())
                            .encode();
            raw.accept(answer);
            RecordingListener.Failure failure = ranks[0].awaitFailure();
            assertTrue(failure.corrupt() && failure.reason().contains("is not rank 1 of this job"), failure.toString());
            closeRanks();
        }
    }

    @Test
    void nobodyListens() throws InterruptedException {
        open(1, 2);
        RawPeer raw = new RawPeer(verbs, factsOf(0).address(), this::drive);
        IbFacts gone = raw.facts(1, 256);
        raw.close();
        VerbsRanks.channel(ranks[0]).add(1, gone.encode());
        assertEquals(Channel.NO_RESOURCE, ranks[0].trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
        long begin = System.nanoTime();
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(System.nanoTime() - begin > 500_000_000, "it pauses between its attempts");
        assertTrue(counting.callsOf("resolveAddress") <= 9, counting.callsOf("resolveAddress") + " attempts");
        assertEquals(1, failure.peer());
        assertFalse(failure.corrupt());
        assertTrue(
                failure.reason().contains("no connection was accepted at " + gone.where() + ": nobody listens there"),
                failure.reason());
        assertEquals(Channel.PEER_FAILED, ranks[0].trySend(1, PacketKind.EAGER, 0, 0, new byte[1], null));
    }

    @Test
    void peersDieAtEachStepOfConnecting() throws InterruptedException {
        for (String step : new String[] {"it asked", "it was asked", "it has accepted", "it is connected"}) {
            open(2, 3);
            RawPeer raw = rawPeer();
            IbFacts own = raw.facts(2, 256);
            VerbsRanks.channel(ranks[0]).add(2, own.encode());
            byte[] greeting = new Greeting(2, 0, own.process(), factsOf(0).secret()).encode();
            if (step.equals("it asked")) {
                raw.request(factsOf(0), greeting);
                driveUntil(0, 2, ConnectionState.ACCEPTING);
            } else if (step.equals("it is connected")) {
                assertEquals(VerbsLayout.ESTABLISHED, raw.connect(factsOf(0), greeting));
            } else {
                VerbsRanks.channel(ranks[0]).want(2);
                if (step.equals("it has accepted")) {
                    raw.accept(new Greeting(2, 0, own.process(), factsOf(0).secret()).encode());
                } else {
                    assertEquals(VerbsLayout.CONNECT_REQUEST, raw.awaitEvent());
                    raw.forget();
                }
            }
            open.remove(raw);
            raw.close();
            assertEquals(2, ranks[0].awaitFailure().peer(), step);
            VerbsRanks.join(ranks[0], ranks[1]);
            ranks[0].send(1, 5, new byte[5]);
            assertEquals(5, ranks[1].receive().tag(), step);
            assertEquals(1, ranks[0].listener.failures.size(), step);
            closeRanks();
            assertEquals(Map.of(), counting.living(), step);
        }
    }

    @Test
    void whoNeverAnswersIsGivenUp() throws InterruptedException {
        open(1, 2);
        RawPeer raw = rawPeer();
        VerbsRanks.channel(ranks[0]).add(1, raw.facts(1, 256).encode());
        VerbsRanks.channel(ranks[0]).want(1);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(failure.reason().contains("no connection within " + TIMEOUT_MS + " ms"), failure.reason());
    }

    @Test
    void whatWasSentComesBeforeTheNewsThatItsSenderIsGone() throws InterruptedException {
        open(2, 3);
        VerbsRanks.join(ranks[0], ranks[1]);
        RawPeer raw = connectedRaw();
        raw.isAlone = true;
        for (int i = 1; i <= Credits.LEAST; i++) {
            raw.header(i, PacketKind.EAGER, 0, Credits.LEAST);
            raw.send(PacketHeader.BYTES);
        }
        raw.drop();
        List<String> order = new ArrayList<>();
        RecordingListener listener = VerbsRanks.ordering(order);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!order.contains("failed")) {
            ranks[0].channel.poll(listener, 1);
            ranks[0].channel.checkPeers(listener);
            Thread.sleep(1);
            assertTrue(System.nanoTime() < deadline, order.toString());
        }
        assertEquals(List.of("packet 1", "packet 2", "failed"), order);
        ranks[0].send(1, 5, new byte[5]);
        assertEquals(5, ranks[1].receive().tag());
    }

    private RawPeer connectedRaw() {
        RawPeer raw = rawPeer();
        IbFacts target = factsOf(0);
        VerbsRanks.channel(ranks[0]).add(2, raw.facts(2, 256).encode());
        byte[] greeting = new Greeting(2, 0, raw.facts(2, 256).process(), target.secret()).encode();
        assertEquals(VerbsLayout.ESTABLISHED, raw.connect(target, greeting));
        return raw;
    }

    /** A peer that gave up and asks again is taken, though the word that it gave up never came. */
    @Test
    void whoAsksAgainBeforeItsFirstRequestStoodIsAccepted() {
        open(1, 3);
        RawPeer first = rawPeer();
        IbFacts target = factsOf(0);
        IbFacts own = first.facts(2, 256);
        VerbsRanks.channel(ranks[0]).add(2, own.encode());
        byte[] greeting = new Greeting(2, 0, own.process(), target.secret()).encode();
        first.request(target, greeting);
        driveUntil(0, 2, ConnectionState.ACCEPTING);
        RawPeer second = rawPeer();
        assertEquals(VerbsLayout.ESTABLISHED, second.connect(target, greeting));
        second.header(1, PacketKind.EAGER, 0, Credits.LEAST);
        second.send(PacketHeader.BYTES);
        assertEquals(2, ranks[0].receive().peer());
    }
}
