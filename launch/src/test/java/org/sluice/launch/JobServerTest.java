package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/** The bootstrap between a job's server and its ranks, strangers and liars included. */
@Timeout(60)
final class JobServerTest {
    private static final long PATIENCE_MS = 20_000;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    private JobServer server(int size) {
        JobServer server = JobServer.start(size);
        open.add(server);
        return server;
    }

    private JobBootstrap rank(JobServer server, int rank, int size) {
        JobBootstrap bootstrap = JobBootstrap.connect(server.address(), rank, size, PATIENCE_MS);
        open.add(bootstrap);
        return bootstrap;
    }

    private static JvmLine jvm(JobServer server, int rank, int size) {
        return JvmLine.hold(server.address(), rank, 1, size, true);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Future<?> fence(Bootstrap bootstrap, long timeoutMs) {
        return threads.submit(() -> bootstrap.fence(timeoutMs));
    }

    private static SluiceException failure(Future<?> fence) {
        Exception thrown =
                assertThrows(java.util.concurrent.ExecutionException.class, () -> fence.get(30, TimeUnit.SECONDS));
        return (SluiceException) thrown.getCause();
    }

    @Test
    void sixtyFourRanksSeeEachOthersValuesAfterAFence() throws Exception {
        int size = 64;
        JobServer server = server(size);
        List<Future<?>> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int self = rank;
            ranks.add(threads.submit(() -> {
                JobBootstrap bootstrap = JobBootstrap.connect(server.address(), self, size, PATIENCE_MS);
                bootstrap.put("name", bytes("early"));
                bootstrap.put("name", bytes("rank" + self));
                bootstrap.fence(PATIENCE_MS);
                for (int other = 0; other < size; other++) {
                    assertArrayEquals(bytes("rank" + other), bootstrap.get(other, "name"));
                    assertNull(bootstrap.get(other, "second"));
                }
                bootstrap.put("second", new byte[self]);
                bootstrap.fence(PATIENCE_MS);
                assertEquals(63, bootstrap.get(63, "second").length);
                assertArrayEquals(bytes("rank7"), bootstrap.get(7, "name"));
                bootstrap.close();
                return null;
            }));
        }
        for (Future<?> rank : ranks) {
            rank.get(40, TimeUnit.SECONDS);
        }
    }

    @Test
    void absentRanksAreNamedWhenTheTimeIsUp() {
        JobServer server = server(5);
        JobBootstrap zero = rank(server, 0, 5);
        rank(server, 2, 5);
        SluiceException failure = assertThrows(SluiceException.class, () -> zero.fence(300));
        assertEquals(ErrorCode.OPEN_FAILED, failure.code());
        assertEquals(
                "ranks 1, 3, 4 did not open a device; rank 2 began to open a device but did not come to the "
                        + "fence within 300 ms"
                        + " (sluice.open.timeout.ms)",
                failure.getMessage());
    }

    @Test
    void aRankThatDiedFailsTheFenceAtOnceAndIsTold() throws Exception {
        JobServer server = server(3);
        JobBootstrap zero = rank(server, 0, 3);
        CompletableFuture<Integer> lost = new CompletableFuture<>();
        zero.onRankLost(lost::complete);
        Future<?> fence = fence(zero, PATIENCE_MS);
        try (UnixSocket dying = greeted(server, 1, 3)) {
            assertTrue(dying.isConnected());
        }
        assertEquals(1, lost.get(10, TimeUnit.SECONDS));
        SluiceException failure = failure(fence);
        assertEquals(ErrorCode.OPEN_FAILED, failure.code());
        assertTrue(failure.getMessage().contains("rank 1 died"), failure.getMessage());
        CompletableFuture<Integer> toldLater = new CompletableFuture<>();
        zero.onRankLost(toldLater::complete);
        assertEquals(1, toldLater.getNow(-1));
    }

    @Test
    void aListenerThatThrowsIsNoEndOfTheConnection() throws Exception {
        JobServer server = server(3);
        JobBootstrap zero = rank(server, 0, 3);
        CompletableFuture<Integer> lost = new CompletableFuture<>();
        zero.onRankLost(rank -> {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED, "the name of rank " + rank + "'s segment can't be removed");
        });
        zero.onRankLost(lost::complete);
        greeted(server, 1, 3).close();
        assertEquals(1, lost.get(10, TimeUnit.SECONDS), "the others are told all the same");
        String said = assertThrows(SluiceException.class, () -> zero.fence(PATIENCE_MS))
                .getMessage();
        assertTrue(said.contains("rank 1 died"), said);
    }

    @Test
    void aRankWhoseProcessEndedUnopenedFailsTheFence() throws Exception {
        JobServer server = server(2);
        Future<?> fence = fence(rank(server, 0, 2), PATIENCE_MS);
        server.rankEnded(1);
        assertEquals("rank 1 ended without opening a device", failure(fence).getMessage());
    }

    @Test
    void aRankThatEndedInAJvmThatLivesOnFailsTheFenceToo() throws Exception {
        JobServer server = server(4);
        rank(server, 2, 4);
        Future<?> fence = fence(rank(server, 0, 4), PATIENCE_MS);
        assertTrue(jvm(server, 2, 4).lastWord(2, null, "", false));
        JvmLine one = jvm(server, 1, 4);
        assertTrue(one.lastWord(1, null, "", false));
        assertEquals(
                "rank 1 ended without opening a device; rank 3 did not open a device; rank 2 began to open a device"
                        + " but did not come to the fence",
                failure(fence).getMessage());
        server.close();
        assertFalse(one.lastWord(1, null, "", false));
    }

    @Test
    void aLastWordSaysWhoIsToBlame() {
        JobServer server = server(4);
        JvmLine two = jvm(server, 2, 4);
        assertTrue(two.lastWord(2, new Blame(1, false), "", false));
        assertTrue(two.lastWord(2, null, "", false));
        assertFalse(jvm(server, 3, 4).lastWord(3, new Blame(4, true), "", false));
        assertEquals(new Blame(1, false), server.ends().blame(2), "what came after says nothing else");
        assertNull(server.ends().blame(3), "there is no rank 4");
    }

    @Test
    void aRankThatClosesFailsTheOthersFence() throws Exception {
        JobServer server = server(2);
        Future<?> fence = fence(rank(server, 0, 2), PATIENCE_MS);
        rank(server, 1, 2).close();
        assertEquals("rank 1 closed the device", failure(fence).getMessage());
    }

    @Test
    void aGoodbyeIsNoDeath() throws Exception {
        JobServer server = server(2);
        JobBootstrap zero = rank(server, 0, 2);
        JobBootstrap one = rank(server, 1, 2);
        Future<?> fence = fence(zero, PATIENCE_MS);
        one.fence(PATIENCE_MS);
        fence.get(10, TimeUnit.SECONDS);
        List<Integer> lost = new ArrayList<>();
        zero.onRankLost(lost::add);
        one.close();
        one.close();
        assertThrows(IllegalStateException.class, () -> one.put("late", new byte[1]));
        assertThrows(SluiceException.class, () -> zero.fence(PATIENCE_MS));
        assertEquals(List.of(), lost);
    }

    @Test
    void aSecondOpeningWaitsForTheFirstToClose() throws Exception {
        JobServer server = server(2);
        JobBootstrap first = rank(server, 0, 2);
        SluiceException refused = assertThrows(SluiceException.class, () -> rank(server, 0, 2));
        assertTrue(refused.getMessage().contains("rank 0 already has an open device"), refused.getMessage());
        JobBootstrap peer = rank(server, 1, 2);
        String id = first.jobId();
        assertEquals(id, peer.jobId());
        for (int round = 0; round < 20; round++) {
            Future<?> fence = fence(first, PATIENCE_MS);
            peer.fence(PATIENCE_MS);
            fence.get(10, TimeUnit.SECONDS);
            first.close();
            first = rank(server, 0, 2);
            peer.close();
            peer = rank(server, 1, 2);
            assertEquals(first.jobId(), peer.jobId());
            assertNotEquals(id, first.jobId());
            id = first.jobId();
            assertNull(first.get(0, "anything"));
        }
    }

    @Test
    void anotherVersionIsRefusedWithBothNamed() {
        JobServer server = server(1);
        SluiceException refused = assertThrows(
                SluiceException.class, () -> JobBootstrap.connect(server.address(), 0, 1, PATIENCE_MS, "0.0.7"));
        assertTrue(
                refused.getMessage().contains("0.0.7") && refused.getMessage().contains(SluiceVersion.CURRENT),
                refused.getMessage());
    }

    @Test
    void aRankOutOfTheJobIsRefused() {
        JobServer server = server(2);
        assertTrue(assertThrows(SluiceException.class, () -> rank(server, 2, 2))
                .getMessage()
                .contains("this job has 2 ranks"));
        assertTrue(assertThrows(SluiceException.class, () -> rank(server, 0, 3))
                .getMessage()
                .contains("this job has 2 ranks"));
    }

    @Test
    void strangersWithGarbageDisturbNobody() throws Exception {
        JobServer server = server(1);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            try (UnixSocket stranger = UnixSocket.connect(server.address().text())) {
                byte[] garbage = new byte[1 + random.nextInt(3000)];
                random.nextBytes(garbage);
                if (i % 2 == 0) {
                    ByteBuffer.wrap(garbage).put(0, (byte) 0).put(garbage.length > 1 ? 1 : 0, (byte) 0);
                }
                stranger.getOutputStream().write(garbage);
            } catch (IOException e) {
                // The server hung up while the stranger was still talking.
                assertTrue(e.getMessage() != null);
            }
        }
        JobBootstrap rank = rank(server, 0, 1);
        rank.put("still", bytes("alive"));
        rank.fence(PATIENCE_MS);
        assertArrayEquals(bytes("alive"), rank.get(0, "still"), "seed " + seed);
    }

    @Test
    void strangersThatSayNothingDontKeepARankOut() throws Exception {
        JobServer server = server(1);
        for (int i = 0; i < 3 * JobConnections.SPARE; i++) {
            open.add(UnixSocket.connect(server.address().text()));
        }
        JobBootstrap rank = rank(server, 0, 1);
        for (int i = 0; i < 3 * JobConnections.SPARE; i++) {
            open.add(UnixSocket.connect(server.address().text()));
        }
        rank.fence(PATIENCE_MS);
        try (UnixSocket last = (UnixSocket) open.get(open.size() - 1)) {
            last.getOutputStream().write(Frame.empty(Frame.FENCE));
            assertTrue(refusal(last).contains("does not say hello"), "the newest stranger is still listened to");
        }
    }

    @Test
    void aStrangerThatTalksOnIsCutOffAndHoldsNobodyUp() throws Exception {
        JobServer server = server(1);
        List<Future<Long>> talkers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            UnixSocket talker = UnixSocket.connect(server.address().text());
            open.add(talker);
            talkers.add(threads.submit(() -> talkWhileTaken(talker)));
        }
        for (Future<Long> talker : talkers) {
            long said = talker.get(30, TimeUnit.SECONDS);
            assertTrue(said < 100 << 20, said + " bytes were taken");
        }
        JobBootstrap rank = rank(server, 0, 1);
        rank.fence(PATIENCE_MS);
    }

    private static long talkWhileTaken(UnixSocket socket) {
        byte[] junk = new byte[1 << 18];
        Arrays.fill(junk, (byte) -1);
        long said = 0;
        try {
            while (true) {
                socket.getOutputStream().write(junk);
                said += junk.length;
            }
        } catch (IOException e) {
            return said;
        }
    }

    @Test
    void oversizedAndUnknownFramesAreRefusedWithTheReason() throws Exception {
        JobServer server = server(2);
        try (UnixSocket socket = UnixSocket.connect(server.address().text())) {
            new DataOutputStream(socket.getOutputStream()).writeInt(Integer.MAX_VALUE);
            assertTrue(refusal(socket).contains("a frame of 2147483647 bytes; 1 to 1024 are allowed here"));
        }
        try (UnixSocket socket = greeted(server, 0, 2)) {
            socket.getOutputStream().write(Frame.empty((byte) 99));
            assertTrue(refusal(socket).contains("unknown kind 99"));
        }
        try (UnixSocket socket = greeted(server, 1, 2)) {
            socket.getOutputStream()
                    .write(new Frame.Writer(Frame.PUT).number(1 << 30).finish());
            assertTrue(refusal(socket).contains("a field of 1073741824 bytes"));
        }
    }

    @Test
    void callersMistakesAreThrown() {
        JobBootstrap rank = rank(server(1), 0, 1);
        assertThrows(
                IllegalArgumentException.class, () -> rank.put("k".repeat(Bootstrap.KEY_LIMIT_BYTES + 1), new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> rank.put("k", new byte[Bootstrap.VALUE_LIMIT_BYTES + 1]));
        assertThrows(IllegalArgumentException.class, () -> rank.fence(0));
        assertThrows(IndexOutOfBoundsException.class, () -> rank.get(1, "k"));
        assertThrows(IllegalArgumentException.class, () -> JobServer.start(0));
    }

    @Test
    void aServerThatEndsFailsTheFence() throws Exception {
        JobServer server = server(2);
        JobBootstrap zero = rank(server, 0, 2);
        Future<?> fence = fence(zero, PATIENCE_MS);
        server.close();
        assertTrue(failure(fence).getMessage().contains("lost its job's launcher"));
        assertTrue(assertThrows(SluiceException.class, () -> rank(server, 1, 2))
                .getMessage()
                .contains("start ranks with ./sluice run"));
    }

    static UnixSocket greeted(JobServer server, int rank, int size) throws IOException {
        UnixSocket socket = UnixSocket.connect(server.address().text());
        socket.getOutputStream().write(Hello.frame(Hello.ROLE_RANK, rank, 1, size, SluiceVersion.CURRENT));
        ByteBuffer answer = read(new DataInputStream(socket.getInputStream()), Frame.TEXT_LIMIT_BYTES);
        assertEquals(Frame.WELCOME, answer.get());
        return socket;
    }

    /** The next frame, kind and body. */
    static ByteBuffer read(DataInputStream in, int limitBytes) throws IOException {
        byte[] frame = new byte[Frame.checkedLength(in.readInt(), limitBytes)];
        in.readFully(frame);
        return ByteBuffer.wrap(frame);
    }

    static String refusal(UnixSocket socket) throws IOException {
        while (true) {
            ByteBuffer answer = read(new DataInputStream(socket.getInputStream()), Frame.TEXT_LIMIT_BYTES);
            if (answer.get() == Frame.REFUSED) {
                return Frame.text(answer, Frame.TEXT_LIMIT_BYTES);
            }
        }
    }
}
