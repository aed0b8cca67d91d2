package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.tcp.connect.ConnectionState;

/** Who is no rank of the job, and dials all the same. */
final class StrangerTest {
    private static final long MAGIC = 0x536c756963655463L;
    private static final int HELLO_BYTES = 52;

    private TestRank[] ranks;

    @BeforeEach
    void open() {
        ranks = TcpRanks.apart(2, TcpRanks.options("sluice.tcp.connect.timeout.ms", "1000"));
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private Socket dial() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), TcpRanks.channel(ranks[1]).port());
        socket.setSoTimeout((int) (TestRank.PATIENCE_NANOS / 1_000_000));
        return socket;
    }

    private void ranksStillConnect() {
        TcpRanks.join(ranks[0], ranks[1]);
        ranks[0].send(1, 7, new byte[8]);
        assertEquals(7, ranks[1].receive().tag());
        assertEquals(List.of(), ranks[1].listener.failures);
    }

    /** That it was closed, and whether anything came before. */
    private static int answered(Socket socket) throws IOException {
        int count = 0;
        try {
            while (socket.getInputStream().read() >= 0) {
                count++;
            }
        } catch (IOException e) {
            // Reset, as there was something that it did not read.
            return count;
        }
        return count;
    }

    private static byte[] hello(int from, int to) {
        byte[] nonce = new byte[32];
        new Random().nextBytes(nonce);
        return ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .putInt(1)
                .putInt(from)
                .putInt(to)
                .put(nonce)
                .array();
    }

    @Test
    void aPortScanHarmsNobody() throws IOException {
        for (int i = 0; i < 200; i++) {
            dial().close();
        }
        ranksStillConnect();
    }

    @Test
    void noiseIsCutOffAtItsFirstBytes() throws IOException {
        byte[] noise = new byte[1 << 20];
        new Random().nextBytes(noise);
        noise[0] = 0;
        long sent = 0;
        try (Socket socket = dial()) {
            OutputStream out = socket.getOutputStream();
            while (sent < 1L << 30) {
                out.write(noise);
                sent += noise.length;
            }
        } catch (IOException e) {
            assertTrue(sent < 64L << 20, sent + " bytes were taken before: " + e);
        }
        assertTrue(sent < 64L << 20, sent + " bytes were taken");
        ranksStillConnect();
    }

    @Test
    void halfAHelloIsWaitedForNoLongerThanAConnection() throws IOException {
        try (Socket socket = dial()) {
            socket.getOutputStream().write(hello(0, 1), 0, HELLO_BYTES / 2);
            assertEquals(0, answered(socket));
        }
        ranksStillConnect();
    }

    @Test
    void whoHoldsManyOpenKeepsNobodyOut() throws IOException {
        List<Socket> idle = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            idle.add(dial());
        }
        ranksStillConnect();
        for (Socket each : idle) {
            each.close();
        }
    }

    @Test
    void aRankThatIsNoneIsCutOff() throws IOException {
        for (int[] each : new int[][] {{1, 1}, {2, 1}, {-1, 1}, {0, 0}, {0, 2}}) {
            try (Socket socket = dial()) {
                socket.getOutputStream().write(hello(each[0], each[1]));
                assertEquals(0, answered(socket), each[0] + " to " + each[1]);
            }
        }
        ranksStillConnect();
    }

    @Test
    void whoCanProveNothingIsCutOffAndTheRankIsStillUnmet() throws IOException {
        try (Socket socket = dial()) {
            socket.getOutputStream().write(hello(0, 1));
            byte[] answer = socket.getInputStream().readNBytes(64);
            assertEquals(64, answer.length);
            // Its own proof, given back.
            socket.getOutputStream().write(answer, 32, 32);
            assertEquals(0, answered(socket));
        }
        assertEquals(ConnectionState.IDLE, TcpRanks.channel(ranks[1]).state(0));
        ranksStillConnect();
    }

    @Test
    void whatListensInAPeersPlaceIsNotBelieved() throws Exception {
        TestRank other = TcpRanks.rank(1, 2, TcpRanks.options());
        TestRank dialer = TcpRanks.rank(0, 2, TcpRanks.options("sluice.tcp.connect.timeout.ms", "300"));
        try {
            // Its facts with another secret: it listens there and is somebody else.
            byte[] facts = TcpRanks.channel(other).facts();
            // The last byte says that it has no TLS.
            facts[facts.length - 2]++;
            TcpRanks.channel(dialer).add(1, facts);
            TcpRanks.channel(other).add(0, TcpRanks.channel(dialer).facts());
            TcpRanks.channel(other).start();
            TcpRanks.channel(dialer).start();
            TcpRanks.channel(dialer).want(1);
            String reason = dialer.awaitFailure().reason();
            assertTrue(reason.contains("is not rank 1 of this job"), reason);
        } finally {
            other.channel.close();
            dialer.channel.close();
        }
    }
}
