package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.tcp.connect.ConnectionState;
import org.sluice.tcp.connect.PeerAddress;

/** How two ranks come to one connection, and how that ends. */
final class ConnectTest {
    private TestRank[] ranks = {};

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "lo", "127.0.0.0/8", "::1", "::1/128"})
    void theInterfaceMayBeNamed(String wish) {
        ranks = TcpRanks.apart(2, Options.of(Map.of("sluice.tcp.interface", wish)));
        ranks[0].send(1, 3, new byte[8]);
        assertEquals(3, ranks[1].receive().tag());
    }

    @Test
    void whoeverSendsFirstConnectsAndBothAtOnceMeetInOne() {
        for (int round = 0; round < 30; round++) {
            ranks = TcpRanks.apart(2, TcpRanks.options());
            TcpRanks.channel(ranks[0]).want(1);
            TcpRanks.channel(ranks[1]).want(0);
            TcpRanks.awaitReady(ranks[0], ranks[1]);
            for (int i = 0; i < 2; i++) {
                ranks[i].send(1 - i, round, new byte[8]);
                assertEquals(round, ranks[1 - i].receive().tag());
            }
            close();
            ranks = new TestRank[0];
        }
    }

    @Test
    void whatWasSentArrivesAlthoughItsSenderCloses() {
        ranks = TcpRanks.joined(2, TcpRanks.options());
        byte[] body = new byte[60_000];
        int sent = 0;
        while (ranks[0].trySend(1, PacketKind.EAGER, 0, sent, body, null) == Channel.SENT) {
            sent++;
        }
        TestRank receiver = ranks[1];
        Thread closer = new Thread(ranks[0].channel::close);
        closer.start();
        receiver.await(sent);
        for (int i = 0; i < sent; i++) {
            assertEquals(i, receiver.listener.packets.remove().tag());
        }
    }

    @Test
    void aBrokenConnectionEndsThePeerAfterWhatItHadSent() throws InterruptedException {
        ranks = TcpRanks.joined(2, TcpRanks.options());
        ranks[0].send(1, 5, new byte[8]);
        ranks[0].channel.disconnect(1);
        RecordingListener.Failure failure = ranks[1].awaitFailure();
        assertEquals(5, ranks[1].receive().tag());
        assertFalse(failure.corrupt());
        assertTrue(failure.reason().contains("ended the connection"), failure.reason());
        assertEquals(Channel.PEER_FAILED, ranks[1].trySend(0, PacketKind.EAGER, 0, 0, new byte[8], null));
    }

    @Test
    void whoNeverAnswersIsNamedWithItsPort() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TestRank dialer = TcpRanks.rank(0, 2, TcpRanks.options("sluice.tcp.connect.timeout.ms", "300"));
            ranks = new TestRank[] {dialer};
            TcpRanks.channel(dialer).add(1, TcpRanks.factsAt(silent.getLocalPort()));
            TcpRanks.channel(dialer).start();
            TcpRanks.channel(dialer).want(1);
            String reason = dialer.awaitFailure().reason();
            assertTrue(reason.contains("127.0.0.1 port " + silent.getLocalPort()), reason);
            assertTrue(reason.contains("took the connection, and did not answer in time"), reason);
            assertTrue(reason.contains("may be stopped, or have no file left to open"), reason);
        }
    }

    @Test
    void whoHasProvedItselfIsNotDialledAtItsNextAddress() throws Exception {
        // An attempt has half of it: the verdict comes later than that.
        Options options = TcpRanks.options("sluice.tcp.connect.timeout.ms", "3000");
        ranks = new TestRank[] {TcpRanks.rank(0, 2, options), TcpRanks.rank(1, 2, options)};
        TestRank.together(ranks);
        PeerAddress real = TcpFacts.decode(1, TcpRanks.channel(ranks[1]).facts());
        try (Eavesdropper slow = new Eavesdropper(real.port(), 1800)) {
            List<InetAddress> twice = List.of(InetAddress.getLoopbackAddress(), InetAddress.getByName("127.0.0.2"));
            TcpRanks.channel(ranks[0])
                    .add(1, TcpFacts.encode(new PeerAddress(1, twice, slow.port(), real.secret(), null)));
            TcpRanks.channel(ranks[1]).add(0, TcpRanks.channel(ranks[0]).facts());
            TcpRanks.channel(ranks[0]).start();
            TcpRanks.channel(ranks[1]).start();
            TcpRanks.join(ranks[0], ranks[1]);
            ranks[0].send(1, 6, new byte[8]);
            assertEquals(6, ranks[1].receive().tag());
        }
    }

    @Test
    void whoClosedUnmetIsKnownToHaveClosed() throws InterruptedException {
        ranks = TcpRanks.apart(2, TcpRanks.options());
        assertTrue(ranks[1].channel.connecting().isUnmet(0));
        assertTrue(ranks[1].channel.connecting().leaveUnmet(0));
        TcpRanks.channel(ranks[0]).want(1);
        assertTrue(ranks[0].awaitFailure().reason().contains("closed its device"));
        assertEquals(ConnectionState.OVER, TcpRanks.channel(ranks[0]).state(1));
    }

    @Test
    void whatTheJobSaysOfADeadRankEndsAnAttempt() throws InterruptedException {
        ranks = TcpRanks.apart(2, TcpRanks.options());
        TcpRanks.channel(ranks[0]).lost(1);
        assertTrue(ranks[0].awaitFailure().reason().contains("has ended"));
    }
}
