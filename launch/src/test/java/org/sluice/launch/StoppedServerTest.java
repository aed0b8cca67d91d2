package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * A rank leaves a launcher that is stopped: its sockets are open, take as much as they have room for, and say nothing.
 */
@Timeout(60)
final class StoppedServerTest {
    private static final int PATIENCE_MS = 20_000;
    /** A goodbye gets a second for going and one for its answer; the rest is for a processor that is shared. */
    private static final int CLOSE_LIMIT_MS = 15_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private UnixSocket.Server listener;
    private UnixSocket end;
    private JobBootstrap rank;

    @BeforeEach
    void join() throws Exception {
        listener = new UnixSocket.Server(1);
        JobAddress address = JobAddress.local(Path.of(listener.address()));
        Future<JobBootstrap> joining = threads.submit(() -> JobBootstrap.connect(address, 0, 2, PATIENCE_MS));
        end = listener.accept();
        assertEquals(
                Frame.HELLO,
                JobServerTest.read(new DataInputStream(end.getInputStream()), Frame.HELLO_LIMIT_BYTES)
                        .get());
        end.getOutputStream().write(new Frame.Writer(Frame.WELCOME).text("job").finish());
        rank = joining.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void endAll() throws Exception {
        end.close();
        listener.close();
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    /** There, as where the thread that reads finds no place: an answer has come, and what keeps it can't be made. */
    @Test
    void aRankThatFindsNoMemoryToJoinKeepsNoConnection() throws Exception {
        JobAddress address = JobAddress.local(Path.of(listener.address()));
        Future<?> joining = threads.submit(() -> assertThrows(
                OutOfMemoryError.class, () -> JobBootstrap.connect(address, 0, Integer.MAX_VALUE, PATIENCE_MS)));
        try (UnixSocket other = listener.accept()) {
            DataInputStream in = new DataInputStream(other.getInputStream());
            assertEquals(
                    Frame.HELLO, JobServerTest.read(in, Frame.HELLO_LIMIT_BYTES).get());
            other.getOutputStream()
                    .write(new Frame.Writer(Frame.WELCOME).text("job").finish());
            joining.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertEquals(-1, in.read());
        }
    }

    /** As many connect as wait to be accepted; the next is told to come again, and does. */
    @Test
    void whereItHasNoRoomForAnotherARankComesAgain() throws Exception {
        JobAddress address = JobAddress.local(Path.of(listener.address()));
        List<SocketChannel> waiting = new ArrayList<>();
        for (SocketChannel next = address.connect(0); next != null; next = address.connect(0)) {
            waiting.add(next);
        }
        SluiceException late = assertThrows(SluiceException.class, () -> JobBootstrap.connect(address, 1, 2, 300));
        assertEquals(ErrorCode.TIMEOUT, late.code());
        Future<JobBootstrap> joining = threads.submit(() -> JobBootstrap.connect(address, 1, 2, PATIENCE_MS));
        for (SocketChannel one : waiting) {
            listener.accept().close();
            one.close();
        }
        try (UnixSocket other = listener.accept()) {
            assertEquals(
                    Frame.HELLO,
                    JobServerTest.read(new DataInputStream(other.getInputStream()), Frame.HELLO_LIMIT_BYTES)
                            .get());
            other.getOutputStream()
                    .write(new Frame.Writer(Frame.WELCOME).text("job").finish());
            joining.get(PATIENCE_MS, TimeUnit.MILLISECONDS).close();
        }
    }

    private void closeInTime() throws Exception {
        threads.submit(() -> rank.close()).get(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS);
    }

    @Test
    void theGoodbyeIsThereWhenItGoesOnAndTheSocketIsClosed() throws Exception {
        closeInTime();
        assertEquals(
                Frame.BYE,
                JobServerTest.read(new DataInputStream(end.getInputStream()), Frame.PUT_LIMIT_BYTES)
                        .get());
        assertEquals(-1, end.getInputStream().read());
    }

    @Test
    void anInterruptCutsNoGoodbyeShort() throws Exception {
        threads.submit(() -> {
                    Thread.currentThread().interrupt();
                    rank.close();
                    return Thread.interrupted();
                })
                .get(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS);
        assertEquals(
                Frame.BYE,
                JobServerTest.read(new DataInputStream(end.getInputStream()), Frame.PUT_LIMIT_BYTES)
                        .get());
        assertEquals(-1, end.getInputStream().read());
    }

    /** A fence is stuck in what it has to say, and has the socket to itself. */
    @Test
    void aCloseEndsAlsoWhereNothingFindsRoom() throws Exception {
        for (int i = 0; i < 3; i++) {
            rank.put("k" + i, new byte[Bootstrap.VALUE_LIMIT_BYTES]);
        }
        rank.put("rest", new byte[Bootstrap.VALUE_LIMIT_BYTES - 1000]);
        Future<?> fence = threads.submit(() -> rank.fence(PATIENCE_MS));
        assertThrows(java.util.concurrent.TimeoutException.class, () -> fence.get(500, TimeUnit.MILLISECONDS));
        BitSet other = new BitSet();
        other.set(1);
        assertFalse(
                threads.submit(() -> rank.tellClosing(other, 100, () -> {})).get(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS),
                "nobody is told");
        closeInTime();
        Exception stuck = assertThrows(
                java.util.concurrent.ExecutionException.class, () -> fence.get(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS));
        assertEquals(ErrorCode.OPEN_FAILED, ((SluiceException) stuck.getCause()).code());
        byte[] into = new byte[1 << 16];
        int got;
        do {
            got = end.getInputStream().read(into);
        } while (got >= 0);
    }
}
