package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.tcp.tls.Identity;

/** Who may talk within TLS, and what others see of it. */
@Tag("once")
final class TlsTest {
    private static final Options TLS =
            TcpRanks.options("sluice.tcp.tls", "on", "sluice.tcp.connect.timeout.ms", "3000");
    private static final String MARK = "what nobody else may read";

    private TestRank[] ranks = {};

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private void open(int count) {
        ranks = new TestRank[count];
        for (int rank = 0; rank < count; rank++) {
            ranks[rank] = TcpRanks.rank(rank, count, TLS);
        }
        TestRank.together(ranks);
    }

    private byte[] facts(int rank) {
        return TcpRanks.channel(ranks[rank]).facts();
    }

    private static byte[] withFingerprint(byte[] facts, byte[] fingerprint) {
        byte[] changed = facts.clone();
        System.arraycopy(
                fingerprint,
                fingerprint.length - Identity.FINGERPRINT_BYTES,
                changed,
                changed.length - Identity.FINGERPRINT_BYTES,
                Identity.FINGERPRINT_BYTES);
        return changed;
    }

    private static byte[] withPort(byte[] facts, boolean isTls, int port) {
        byte[] changed = facts.clone();
        int behind = TcpFacts.SECRET_BYTES + 1 + (isTls ? Identity.FINGERPRINT_BYTES : 0);
        int at = changed.length - behind - Integer.BYTES;
        ByteBuffer.wrap(changed).putInt(at, port);
        return changed;
    }

    private static byte[] noise(int bytes, long seed) {
        byte[] noise = new byte[bytes];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    private Socket dial(int rank) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), TcpRanks.channel(ranks[rank]).port());
        socket.setSoTimeout((int) (TestRank.PATIENCE_NANOS / 1_000_000));
        return socket;
    }

    private void ranksStillConnect() {
        TcpRanks.join(ranks[0], ranks[1]);
        ranks[0].send(1, 7, new byte[8]);
        assertEquals(7, ranks[1].receive().tag());
        assertEquals(List.of(), ranks[1].listener.failures);
    }

    private static boolean contains(byte[] all, byte[] part) {
        for (int at = 0; at + part.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    /** Rank 0 dials rank 1 by way of somebody else. */
    private Eavesdropper between(boolean isTls) throws IOException {
        Options options = isTls ? TLS : TcpRanks.options();
        ranks = new TestRank[] {TcpRanks.rank(0, 2, options), TcpRanks.rank(1, 2, options)};
        TestRank.together(ranks);
        Eavesdropper between = new Eavesdropper(TcpRanks.channel(ranks[1]).port());
        TcpRanks.channel(ranks[0]).add(1, withPort(facts(1), isTls, between.port()));
        TcpRanks.channel(ranks[1]).add(0, facts(0));
        TcpRanks.channel(ranks[0]).start();
        TcpRanks.channel(ranks[1]).start();
        TcpRanks.join(ranks[0], ranks[1]);
        return between;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoReadsTheNetworkSeesMessagesWithoutTlsAlone(boolean isTls) throws IOException {
        byte[] body = MARK.getBytes(StandardCharsets.UTF_8);
        try (Eavesdropper between = between(isTls)) {
            ranks[0].send(1, 3, body);
            assertArrayEquals(body, ranks[1].receive().body());
            ranks[1].send(0, 4, body);
            assertArrayEquals(body, ranks[0].receive().body());
            assertTrue(between.heard().length > 2 * body.length);
            assertEquals(!isTls, contains(between.heard(), body));
        }
    }

    @Test
    void whatIsChangedOnItsWayIsNeverHandedUp() throws Exception {
        try (Eavesdropper between = between(true)) {
            ranks[0].send(1, 3, noise(5000, 1));
            assertEquals(3, ranks[1].receive().tag());
            between.change();
            ranks[0].send(1, 4, noise(5000, 2));
            String reason = ranks[1].awaitFailure().reason();
            assertTrue(reason.contains("changed on its way"), reason);
            assertTrue(ranks[1].listener.packets.isEmpty());
        }
    }

    @Test
    void aCertificateThatNobodyPublishedIsRefusedByWhoDials() throws Exception {
        open(2);
        TcpRanks.channel(ranks[0]).add(1, withFingerprint(facts(1), noise(Identity.FINGERPRINT_BYTES, 3)));
        TcpRanks.channel(ranks[1]).add(0, facts(0));
        refused("its certificate is none that a rank of this job has published");
    }

    @Test
    void aCertificateThatNobodyPublishedIsRefusedByWhoListens() throws Exception {
        open(2);
        TcpRanks.channel(ranks[0]).add(1, facts(1));
        TcpRanks.channel(ranks[1]).add(0, withFingerprint(facts(0), noise(Identity.FINGERPRINT_BYTES, 4)));
        refused("certificate_unknown");
    }

    /** Rank 2 answers in the place of rank 1: it is of the job, and yet not who was dialled. */
    @Test
    void aRankThatAnswersInThePlaceOfAnotherIsRefused() throws Exception {
        open(3);
        TcpRanks.channel(ranks[0]).add(1, withFingerprint(facts(1), facts(2)));
        TcpRanks.channel(ranks[0]).add(2, withFingerprint(facts(2), facts(1)));
        TcpRanks.channel(ranks[1]).add(0, facts(0));
        refused("its certificate is not that of rank 1");
    }

    /** It has shown that it is of the job, and then says that it is another of its ranks. */
    @Test
    void aRankThatSaysThatItIsAnotherIsRefused() throws Exception {
        open(3);
        TcpRanks.channel(ranks[0]).add(1, facts(1));
        TcpRanks.channel(ranks[1]).add(0, withFingerprint(facts(0), facts(2)));
        TcpRanks.channel(ranks[1]).add(2, withFingerprint(facts(2), facts(0)));
        refused("it closed the connection");
    }

    private void refused(String why) throws InterruptedException {
        TcpRanks.channel(ranks[0]).start();
        TcpRanks.channel(ranks[1]).start();
        TcpRanks.channel(ranks[0]).want(1);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(failure.reason().contains(why), failure.reason());
        assertTrue(ranks[1].channel.connecting().isUnmet(0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOfTwoWithoutTlsIsToldWhereToSetIt(boolean isOwnTls) {
        Options without = TcpRanks.options();
        ranks = new TestRank[] {
            TcpRanks.rank(0, 2, isOwnTls ? TLS : without), TcpRanks.rank(1, 2, isOwnTls ? without : TLS)
        };
        SluiceException told = assertThrows(
                SluiceException.class, () -> TcpRanks.channel(ranks[0]).add(1, facts(1)));
        assertEquals(ErrorCode.OPEN_FAILED, told.code());
        String text = told.getMessage();
        String peer = isOwnTls ? "off" : "on";
        assertTrue(text.contains("rank 1 has sluice.tcp.tls=" + peer + " and rank 0 has it"), text);
        assertTrue(text.contains("-Dsluice.tcp.tls=on") && text.contains("SLUICE_TCP_TLS"), text);
    }

    @Test
    void aPlainRankAtAPortWithTlsIsCutOff() throws IOException {
        open(2);
        TcpRanks.introduce(ranks);
        try (Socket socket = dial(1)) {
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(52)
                            .putLong(0x536c756963655463L)
                            .putInt(1)
                            .putInt(0)
                            .putInt(1)
                            .array());
            byte[] answer = new byte[64];
            int read = readAll(socket, answer);
            // At most an alert: nothing of the handshake within.
            assertTrue(read < 32, read + " bytes: " + Arrays.toString(answer));
        }
        ranksStillConnect();
    }

    /** @return how much came before the end */
    private static int readAll(Socket socket, byte[] into) {
        int count = 0;
        try {
            for (int read = 0; read >= 0 && count < into.length; count += Math.max(0, read)) {
                read = socket.getInputStream().read(into, count, into.length - count);
            }
        } catch (IOException e) {
            assertFalse(e instanceof java.net.SocketTimeoutException, "it was left open");
            // Reset, as it did not read all.
        }
        return count;
    }

    private static byte[] clientHello() throws IOException {
        SSLEngine engine = Identity.create(0).engine(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.beginHandshake();
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    @Test
    void tlsAtAPlainPortIsCutOff() throws IOException {
        ranks = TcpRanks.apart(2, TcpRanks.options());
        try (Socket socket = dial(1)) {
            socket.getOutputStream().write(clientHello());
            assertEquals(0, readAll(socket, new byte[64]));
        }
        ranksStillConnect();
    }

    @Test
    void halfAHelloIsWaitedForNoLongerThanAConnection() throws IOException {
        open(2);
        TcpRanks.introduce(ranks);
        byte[] hello = clientHello();
        try (Socket socket = dial(1)) {
            socket.getOutputStream().write(hello, 0, hello.length / 2);
            assertEquals(0, readAll(socket, new byte[64]));
        }
        ranksStillConnect();
    }

    @Test
    void whoHasNoCertificateOfTheJobIsCutOff() throws IOException {
        open(2);
        TcpRanks.introduce(ranks);
        try (Socket socket = dial(1)) {
            socket.getOutputStream().write(clientHello());
            socket.getOutputStream().write(noise(1 << 16, 5));
            readAll(socket, new byte[1 << 16]);
        }
        ranksStillConnect();
    }

    /** Which TLS allows before the first hello, as often as somebody likes. */
    @Test
    void warningsWithoutAnEndAreCutOff() throws IOException {
        open(2);
        TcpRanks.introduce(ranks);
        byte[] warning = {21, 3, 3, 0, 2, 1, 90};
        ByteBuffer many = ByteBuffer.allocate(10_000 * warning.length);
        while (many.hasRemaining()) {
            many.put(warning);
        }
        try (Socket socket = dial(1)) {
            assertThrows(IOException.class, () -> {
                for (int i = 0; i < 1000; i++) {
                    socket.getOutputStream().write(many.array());
                }
            });
        }
        ranksStillConnect();
    }

    @Test
    void noiseAndScansHarmNobody() throws IOException {
        open(2);
        TcpRanks.introduce(ranks);
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            try (Socket socket = dial(1)) {
                byte[] noise = noise(random.nextInt(2000), round);
                if (round % 3 == 1) {
                    noise = clientHello();
                    noise[random.nextInt(noise.length)] ^= (byte) (1 << random.nextInt(8));
                }
                if (round % 3 != 0) {
                    socket.getOutputStream().write(noise);
                }
            } catch (IOException e) {
                assertTrue(round % 3 != 0, "not even a scan: " + e);
            }
        }
        ranksStillConnect();
    }

    /** Both write more than sockets hold, and each reads only when it can't go on. */
    @Test
    void muchGoesBothWaysAtOnce() {
        ranks = TcpRanks.joined(2, TLS);
        int count = 200;
        for (int i = 0; i < count; i++) {
            for (int rank = 0; rank < 2; rank++) {
                byte[] body = noise(1 + i * 331 % 65_536, i);
                while (ranks[rank].trySend(1 - rank, PacketKind.EAGER, 0, i, body, null) != Channel.SENT) {
                    ranks[1 - rank].channel.poll(ranks[1 - rank].listener, 3);
                    ranks[rank].channel.poll(ranks[rank].listener, 3);
                }
            }
        }
        for (TestRank each : ranks) {
            each.await(count);
            for (int i = 0; i < count; i++) {
                RecordingListener.Packet packet = each.listener.packets.remove();
                assertEquals(i, packet.tag());
                assertArrayEquals(noise(1 + i * 331 % 65_536, i), packet.body());
            }
        }
    }

    /** From five peers on a look at all sockets says who has sent, and what is decrypted already is in none. */
    @Test
    void whatIsDecryptedAlreadyIsHandedUpThoughItsSocketIsEmpty() {
        ranks = TcpRanks.joined(6, TLS);
        for (int round = 0; round < 20; round++) {
            for (int from = 1; from < 6; from++) {
                for (int i = 0; i < 30; i++) {
                    ranks[from].send(0, i, noise(from * 100 + i, round));
                }
            }
            int[] next = new int[6];
            for (int left = 5 * 30; left > 0; left--) {
                long deadline = System.nanoTime() + TestRank.PATIENCE_NANOS;
                while (ranks[0].listener.packets.isEmpty()) {
                    for (int from = 1; from < 6; from++) {
                        ranks[from].drive();
                    }
                    // One at a time: the rest of a record stays where it is.
                    ranks[0].channel.poll(ranks[0].listener, 1);
                    assertTrue(System.nanoTime() < deadline, left + " packets are left");
                }
                RecordingListener.Packet packet = ranks[0].listener.packets.remove();
                assertEquals(next[packet.peer()]++, packet.tag());
                assertArrayEquals(noise(packet.peer() * 100 + packet.tag(), round), packet.body());
            }
        }
    }

    @Test
    void aBrokenConnectionEndsThePeerAfterWhatItHadSent() throws InterruptedException {
        ranks = TcpRanks.joined(2, TLS);
        ranks[0].send(1, 5, new byte[8]);
        ranks[0].channel.disconnect(1);
        RecordingListener.Failure failure = ranks[1].awaitFailure();
        assertEquals(5, ranks[1].receive().tag());
        assertFalse(failure.corrupt());
        assertTrue(failure.reason().contains("ended the connection"), failure.reason());
    }

    @Test
    void whatWasSentArrivesAlthoughItsSenderCloses() {
        ranks = TcpRanks.joined(2, TLS);
        byte[] body = noise(60_000, 9);
        int sent = 0;
        while (ranks[0].channel.trySend(1, PacketKind.EAGER, 0, sent, body, Memory.arrayOffset(body), body.length, null)
                == Channel.SENT) {
            sent++;
        }
        Thread closer = new Thread(ranks[0].channel::close);
        closer.start();
        ranks[1].await(sent);
        for (int i = 0; i < sent; i++) {
            RecordingListener.Packet packet = ranks[1].listener.packets.remove();
            assertEquals(i, packet.tag());
            assertArrayEquals(body, packet.body());
        }
    }
}
