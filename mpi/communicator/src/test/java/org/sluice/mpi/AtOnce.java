package org.sluice.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Several threads of one rank. */
final class AtOnce {
    /** What one of them does. */
    @FunctionalInterface
    interface Task {
        void run(int thread) throws Exception;
    }

    private AtOnce() {}

    /** Returns when all are through; throws what the first that failed has thrown. */
    static void run(int threads, Task task) throws Exception {
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.run(number);
                        } catch (Throwable e) {
                            first.compareAndSet(null, e);
                        }
                    },
                    "rank-body-" + i);
            thread.setDaemon(true);
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            while (thread.isAlive() && first.get() == null) {
                thread.join(20);
            }
        }
        if (first.get() != null) {
            throw new AssertionError("a thread failed: " + first.get(), first.get());
        }
    }
}
