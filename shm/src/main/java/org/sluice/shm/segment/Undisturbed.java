package org.sluice.shm.segment;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Runs file operations on a thread that nobody interrupts: an interrupt in the middle of one closes its FileChannel,
 * and closing a descriptor of a segment gives up the lock by which the peers know that this process lives.
 */
final class Undisturbed {
    private Undisturbed() {}

    /** Several calls inside one are on its thread: to begin one takes longer than most of what they do. */
    static <T> T call(Callable<T> work) throws IOException {
        if (Thread.currentThread() instanceof FileThread) {
            try {
                return work.call();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
        FileThread<T> thread = new FileThread<>(work);
        thread.start();
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return thread.result();
    }

    /** The fields are the thread's until it has ended. */
    private static final class FileThread<T> extends Thread {
        private final Callable<T> work;
        private T result;
        private Throwable failure;

        FileThread(Callable<T> work) {
            super("sluice-file");
            this.work = work;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                result = work.call();
            } catch (Throwable e) {
                failure = e;
            }
        }

        T result() throws IOException {
            if (failure instanceof RuntimeException) {
                throw (RuntimeException) failure;
            }
            if (failure instanceof Error) {
                throw (Error) failure;
            }
            if (failure != null) {
                throw failure instanceof IOException ? (IOException) failure : new IOException(failure);
            }
            return result;
        }
    }
}
