package org.sluice.hybrid.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluice.launch.UnixSocket;

/**
 * Stands between a rank and its job's server and holds one of the frames back: so the rank stops at a known step of its
 * opening.
 *
 * <p><i>Thread</i>: the test's; one for each direction carries frames. <i>Owns</i>: its sockets.
 */
final class FrameGate implements AutoCloseable {
    private final UnixSocket.Server listener = new UnixSocket.Server(1);
    private final String server;
    private final boolean fromRank;
    private final int heldFrame;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /** @param step such as "rank 3": the third frame that the rank sends; or "server 2" */
    FrameGate(String serverAddress, String step) throws IOException {
        server = serverAddress;
        fromRank = step.startsWith("rank");
        heldFrame = Integer.parseInt(step.substring(step.indexOf(' ') + 1));
        daemon(this::accept);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "frame-gate");
        thread.setDaemon(true);
        thread.start();
    }

    /** What the rank takes for its job's address. */
    String address() {
        return listener.address();
    }

    void awaitStep(long timeoutMs) throws InterruptedException {
        if (!reached.await(timeoutMs, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the rank did not come to its step within " + timeoutMs + " ms");
        }
    }

    /** Lets the frame through, and all that follow. */
    void open() {
        open.countDown();
    }

    private void accept() {
        try {
            UnixSocket rank = listener.accept();
            UnixSocket job = UnixSocket.connect(server);
            daemon(() -> carry(rank, job, fromRank));
            daemon(() -> carry(job, rank, !fromRank));
        } catch (IOException e) {
            // Closed by the test, which then fails because the rank does not come to its step.
            open();
        }
    }

    private void carry(UnixSocket from, UnixSocket to, boolean held) {
        try (from;
                to;
                DataInputStream in = new DataInputStream(from.getInputStream());
                DataOutputStream out = new DataOutputStream(to.getOutputStream())) {
            for (int frame = 1; ; frame++) {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                if (held && frame == heldFrame) {
                    reached.countDown();
                    open.await();
                }
                out.writeInt(body.length);
                out.write(body);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // One end is gone: closing both tells the other.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        open();
        listener.close();
    }
}
