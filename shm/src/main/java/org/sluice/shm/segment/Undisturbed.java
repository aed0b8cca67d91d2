package org.sluice.shm.segment;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs file operations on a thread that nobody interrupts: an interrupt in the middle of one closes its FileChannel,
 * and closing a descriptor of a segment gives up the lock by which the peers know that this process lives.
 */
final class Undisturbed {
    private Undisturbed() {
    }

    static <T> T call(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "sluice-file");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException rethrown(Throwable cause) {
        if (cause instanceof RuntimeException) {
            throw (RuntimeException) cause;
        }
        if (cause instanceof Error) {
            throw (Error) cause;
        }
        return cause instanceof IOException ? (IOException) cause : new IOException(cause);
    }
}
