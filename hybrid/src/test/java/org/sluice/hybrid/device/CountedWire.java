package org.sluice.hybrid.device;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.sluice.launch.UnixSocket;

/**
 * Stands between the ranks of a job and its server, hands on every frame as it is, and counts frames and bytes in each
 * direction. <i>Thread</i>: any; two of its own for each connection.
 */
final class CountedWire implements AutoCloseable {
    private static final int WAITING_TO_BE_ACCEPTED = 256;

    final AtomicLong framesToServer = new AtomicLong();
    final AtomicLong bytesToServer = new AtomicLong();
    final AtomicLong framesToRanks = new AtomicLong();
    final AtomicLong bytesToRanks = new AtomicLong();
    private final UnixSocket.Server listener;
    private final String server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "counted-wire");
        thread.setDaemon(true);
        return thread;
    });

    /** @param server as the option {@code sluice.job.address} has it */
    CountedWire(String server) throws IOException {
        this.server = server;
        listener = new UnixSocket.Server(WAITING_TO_BE_ACCEPTED);
        threads.submit(this::accept);
    }

    /** For that option of the ranks. */
    String address() {
        return listener.address();
    }

    private Void accept() throws IOException {
        while (true) {
            UnixSocket rank = listener.accept();
            UnixSocket job = UnixSocket.connect(server);
            threads.submit(() -> pass(rank, job, framesToServer, bytesToServer));
            threads.submit(() -> pass(job, rank, framesToRanks, bytesToRanks));
        }
    }

    /** Until one end closes: then the other hears of it too. */
    private static Void pass(UnixSocket from, UnixSocket to, AtomicLong frames, AtomicLong bytes) throws IOException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (true) {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                frames.incrementAndGet();
                bytes.addAndGet(Integer.BYTES + body.length);
                out.write(ByteBuffer.allocate(Integer.BYTES + body.length)
                        .putInt(body.length)
                        .put(body)
                        .array());
            }
        } catch (EOFException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
