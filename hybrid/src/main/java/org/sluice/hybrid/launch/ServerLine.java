package org.sluice.hybrid.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a rank says to its job's server, frame after frame. A server that is stopped takes no more than the sockets have room for: then a write ends when the socket is closed.
 *
 * <p>Thread: any.
 * <p>Proof: {@code StoppedServerTest}.
 */
final class ServerLine {
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

    /** As {@link #write}, on a thread of its own: it may find no room, or wait for one that found none. @return whether it has gone by then */
    boolean writeWithin(byte[] frame, long patienceMs) {
        AtomicBoolean hasGone = new AtomicBoolean();
        Runnable body = () -> {
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
        join(writer, patienceMs);
        return hasGone.get();
    }

    /** Interrupts end no wait and are kept. */
    static void join(Thread thread, long patienceMs) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        boolean interrupted = false;
        for (long left = patienceMs; left > 0 && thread.isAlive(); left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            try {
                thread.join(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
