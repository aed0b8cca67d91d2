package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that close say so to others over the bootstrap. */
@Timeout(60)
final class GoodbyesTest {
    private static final long PATIENCE_MS = 20_000;
    private static final int WORDS = 10_000;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private JobBootstrap rank(JobServer server, int rank, int size) {
        return opened(JobBootstrap.connect(server.address(), rank, size, PATIENCE_MS));
    }

    private static UnixSocket greeted(JobServer server, int rank, int size) throws IOException {
        UnixSocket socket = UnixSocket.connect(server.address().text());
        socket.getOutputStream().write(Hello.frame(Hello.ROLE_RANK, rank, 1, size, SluiceVersion.CURRENT));
        assertEquals(
                Frame.WELCOME,
                JobServerTest.read(new DataInputStream(socket.getInputStream()), Frame.TEXT_LIMIT_BYTES)
                        .get());
        return socket;
    }

    private final AtomicInteger meanwhile = new AtomicInteger();

    private static byte[] closing(int... ranks) {
        return new Frame.Writer(Frame.CLOSING).ranks(set(ranks)).finish();
    }

    private static BitSet set(int... ranks) {
        BitSet set = new BitSet();
        for (int rank : ranks) {
            set.set(rank);
        }
        return set;
    }

    private static BlockingQueue<String> heardBy(Bootstrap bootstrap) {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        bootstrap.onRankClosed(rank -> heard.add("closed " + rank));
        bootstrap.onRankLost(rank -> heard.add("lost " + rank));
        return heard;
    }

    private static String next(BlockingQueue<String> heard) throws InterruptedException {
        return heard.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void thoseThatARankNamesHearOnceThatItCloses() throws Exception {
        JobServer server = opened(JobServer.start(4));
        JobBootstrap zero = rank(server, 0, 4);
        JobBootstrap one = rank(server, 1, 4);
        JobBootstrap two = rank(server, 2, 4);
        JobBootstrap three = rank(server, 3, 4);
        BlockingQueue<String> byZero = heardBy(zero);
        BlockingQueue<String> byTwo = heardBy(two);
        assertTrue(three.tellClosing(set(0, 1, 3), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
        three.close();
        assertEquals("closed 3", next(byZero));
        assertTrue(one.tellClosing(set(0, 2), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
        assertEquals("closed 1", next(byZero));
        assertEquals("closed 1", next(byTwo), "rank 3 didn't name it");
        BlockingQueue<String> later = heardBy(zero);
        assertEquals(List.of("closed 1", "closed 3"), List.copyOf(later), "who listens later hears at once");
    }

    @Test
    void aRankThatDiesAfterItClosedIsHeardToCloseFirst() throws Exception {
        JobServer server = opened(JobServer.start(2));
        BlockingQueue<String> heard = heardBy(rank(server, 0, 2));
        try (UnixSocket dying = greeted(server, 1, 2)) {
            // Both come in one turn of the server.
            dying.getOutputStream().write(closing(0));
        }
        assertEquals("closed 1", next(heard));
        assertEquals("lost 1", next(heard));
    }

    @Test
    void oneThatIsGoneKeepsNobodyFromHearing() throws Exception {
        JobServer server = opened(JobServer.start(3));
        rank(server, 1, 3).close();
        BlockingQueue<String> heard = heardBy(rank(server, 0, 3));
        assertTrue(rank(server, 2, 3).tellClosing(set(0, 1), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
        assertEquals("closed 2", next(heard));
    }

    @Test
    void aRankThatNamesOthersThanThoseOfTheJobIsRefused() throws Exception {
        JobServer server = opened(JobServer.start(3));
        BlockingQueue<String> heard = heardBy(rank(server, 0, 3));
        for (byte[] wrong : new byte[][] {
            closing(0, 3),
            closing(0, 64),
            new Frame.Writer(Frame.CLOSING).ranks(set(0)).flag(0).finish()
        }) {
            try (UnixSocket liar = greeted(server, 1, 3)) {
                liar.getOutputStream().write(wrong);
                ByteBuffer answer =
                        JobServerTest.read(new DataInputStream(liar.getInputStream()), Frame.TEXT_LIMIT_BYTES);
                assertEquals(Frame.REFUSED, answer.get());
            }
        }
        assertEquals("lost 1", next(heard), "none of it was told");
    }

    /** Each word would be one more for others and an answer more, which the server keeps where they aren't read. */
    @Test
    void aRankThatSaysWithoutEndThatItClosesIsRefusedAtItsSecondWord() throws Exception {
        JobServer server = opened(JobServer.start(3));
        BlockingQueue<String> heard = heardBy(rank(server, 0, 3));
        byte[] word = closing(0);
        ByteBuffer words = ByteBuffer.allocate(WORDS * word.length);
        while (words.hasRemaining()) {
            words.put(word);
        }
        try (UnixSocket talker = greeted(server, 1, 3)) {
            talker.getOutputStream().write(words.array());
            DataInputStream in = new DataInputStream(talker.getInputStream());
            assertEquals(
                    Frame.PASSED_ON,
                    JobServerTest.read(in, Frame.TEXT_LIMIT_BYTES).get());
            ByteBuffer answer = JobServerTest.read(in, Frame.TEXT_LIMIT_BYTES);
            assertEquals(Frame.REFUSED, answer.get());
            assertEquals("a second word that it closes", Frame.text(answer, Frame.TEXT_LIMIT_BYTES));
            assertEquals(-1, in.read(), "more answers than that");
        }
        assertEquals("closed 1", next(heard));
        assertEquals("lost 1", next(heard));
        assertTrue(
                rank(server, 2, 3).tellClosing(set(0), PATIENCE_MS, () -> meanwhile.incrementAndGet()),
                "the server goes on");
        assertEquals("closed 2", next(heard));
    }

    /** It may have gone before the last ranks of its job. */
    @Test
    void whereTheLauncherIsGoneNobodyIsToldAndTheRankKnows() throws Exception {
        JobServer server = opened(JobServer.start(2));
        JobBootstrap zero = rank(server, 0, 2);
        server.close();
        assertFalse(zero.tellClosing(set(1), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
        assertFalse(zero.tellClosing(set(1), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
    }

    /** Here one that accepts and greets, and then says nothing. */
    @Test
    void aLauncherThatIsStoppedIsNotWaitedForAnyLonger() throws Exception {
        try (UnixSocket.Server stopped = new UnixSocket.Server(1)) {
            CompletableFuture<UnixSocket> greeting = CompletableFuture.supplyAsync(() -> {
                try {
                    UnixSocket socket = stopped.accept();
                    JobServerTest.read(new DataInputStream(socket.getInputStream()), Frame.HELLO_LIMIT_BYTES);
                    socket.getOutputStream()
                            .write(new Frame.Writer(Frame.WELCOME).text("id").finish());
                    return socket;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            JobBootstrap zero = JobBootstrap.connect(JobAddress.local(Path.of(stopped.address())), 0, 2, PATIENCE_MS);
            UnixSocket socket = opened(greeting.get(10, TimeUnit.SECONDS));
            assertFalse(zero.tellClosing(set(1), 0, () -> meanwhile.incrementAndGet()));
            assertFalse(
                    zero.tellClosing(set(1), -1000, () -> meanwhile.incrementAndGet()),
                    "the time for closing is over already");
            long begin = System.nanoTime();
            assertFalse(zero.tellClosing(set(1), 200, () -> meanwhile.incrementAndGet()));
            assertTrue(meanwhile.get() > 0, "progress stood still");
            Thread.currentThread().interrupt();
            assertFalse(zero.tellClosing(set(1), 200, () -> meanwhile.incrementAndGet()));
            assertTrue(Thread.interrupted(), "kept for who asks for it");
            assertTrue(System.nanoTime() - begin < 20_000_000_000L, "400 ms were asked for");
            socket.close();
            zero.close();
        }
    }

    @Test
    void aJobOfOneTellsNobody() {
        assertFalse(new MemoryBootstrap().tellClosing(set(0), PATIENCE_MS, () -> meanwhile.incrementAndGet()));
    }

    /** As all ranks of a job may close at once. */
    @Test
    void whatComesInOneTurnLeavesInOneFrame() throws Exception {
        int size = 70;
        JobRound round = new JobRound(size);
        Selector selector = opened(Selector.open());
        ServerSocketChannel listener =
                opened(ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        SocketChannel[] ends = new SocketChannel[size];
        JobConnection[] ranks = new JobConnection[size];
        for (int rank = 0; rank < size; rank++) {
            ends[rank] = opened(SocketChannel.open(listener.getLocalAddress()));
            SocketChannel channel = opened(listener.accept());
            channel.configureBlocking(false);
            ranks[rank] = new JobConnection(channel, channel.register(selector, SelectionKey.OP_READ), true);
            ranks[rank].rank = rank;
            ranks[rank].greet();
            round.join(ranks[rank]);
        }
        Goodbyes goodbyes = new Goodbyes(size);
        for (int rank = 1; rank < size; rank++) {
            ByteBuffer said = ByteBuffer.wrap(closing(0, 1, rank)).position(Frame.HEADER_BYTES + 1);
            goodbyes.take(ranks[rank], said);
        }
        goodbyes.tell();
        goodbyes.tell();
        for (int rank = 0; rank < size; rank++) {
            DataInputStream in = new DataInputStream(ends[rank].socket().getInputStream());
            if (rank < 2) {
                ByteBuffer frame = JobServerTest.read(in, Frame.TEXT_LIMIT_BYTES);
                assertEquals(Frame.CLOSED, frame.get());
                assertEquals(size - 1 - rank, Frame.ranks(frame, size).cardinality());
            }
            if (rank > 0) {
                assertEquals(
                        Frame.PASSED_ON,
                        JobServerTest.read(in, Frame.TEXT_LIMIT_BYTES).get(),
                        "rank " + rank + " said it");
            }
            assertEquals(0, in.available(), "rank " + rank + " hears nothing else");
        }
    }
}
