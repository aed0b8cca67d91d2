package org.sluice.hybrid.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a rank says to its job's server, frame after frame. A server that is stopped takes no more than the sockets have room for: then a write ends when the socket is closed.
 *
 * <p>Thread: any.
 * <p>Proof: {@code StoppedServerTest}.
 */
final class ServerLine {
    private static final long SLICE_MS = 50;
    /** A new thread may wait long for a core. */
    private static final long BEGIN_PATIENCE_MS = 20_000;

    private final int rank;
    private final OutputStream out;

    ServerLine(int rank, OutputStream out) {
        this.rank = rank;
        this.out = out;
    }

    void write(byte[] frames) throws IOException {
        synchronized (out) {
            out.write(frames);
            out.flush();
        }
    }

    /**
     * As {@link #write}, on a thread of its own: it may find no room, or wait for one that found none.
     *
     * @param patienceMs from when that thread has begun
     * @return whether it has gone by then
     */
    boolean writeWithin(byte[] frame, long patienceMs) {
        AtomicBoolean hasBegun = new AtomicBoolean();
        AtomicBoolean hasGone = new AtomicBoolean();
        Runnable body = () -> {
            hasBegun.set(true);
            try {
                write(frame);
                hasGone.set(true);
            } catch (IOException e) {
                // Which is what the caller learns.
                return;
            }
        };
        Thread writer = new Thread(null, body, "sluice-goodbye-" + rank, 0, false);
        writer.setDaemon(true);
        try {
            writer.start();
        } catch (OutOfMemoryError e) {
            // However long it takes: who ends without a goodbye is taken for dead.
            body.run();
        }
        for (long waited = 0; !hasBegun.get() && waited < BEGIN_PATIENCE_MS; waited += SLICE_MS) {
            join(writer, SLICE_MS);
        }
        join(writer, patienceMs);
        return hasGone.get();
    }

    /** In slices, each of which counts for what it should have taken: a JVM that was stopped meanwhile has missed one of them only. Interrupts end no wait and are kept. */
    static void join(Thread thread, long patienceMs) {
        boolean interrupted = false;
        for (long left = patienceMs; left > 0 && thread.isAlive(); left -= SLICE_MS) {
            try {
                thread.join(SLICE_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
