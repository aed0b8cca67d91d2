package org.sluice.hybrid.progress;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.WaitWord;

/**
 * The threads that make progress when callers don't: asked for by option, or one that starts when a caller first parks or wants to be called
 * back. The one that leads is the only thread of the device that blocks natively.
 *
 * <p><i>Thread</i>: {@link #takeOver} under the progress lock, {@link #stop} outside it. <i>Owns</i>: its daemon threads, until stop.
 * <i>Proof</i>: {@code SleepTest}.
 */
final class ProgressThreads {
    private final ProgressEngine engine;
    private final Thread[] threads;
    private final String name;
    private volatile boolean stopped;
    /** Whose turn it is to be woken: under the progress lock. */
    private int next;

    ProgressThreads(ProgressEngine engine, int count, String name) {
        this.engine = engine;
        this.threads = new Thread[count];
        this.name = name;
    }

    boolean isStopped() {
        return stopped;
    }

    synchronized void startAll() {
        for (int i = 0; i < threads.length; i++) {
            start(i);
        }
    }

    private void start(int index) {
        if (threads[index] == null && !stopped) {
            Thread thread = new Thread(this::run, name + "-" + index);
            thread.setDaemon(true);
            thread.start();
            threads[index] = thread;
        }
    }

    /** Wakes a thread, natively asleep or parked, because nobody leads any more. */
    synchronized void takeOver(WaitWord word) {
        int index = next;
        next = (next + 1) % threads.length;
        start(index);
        LockSupport.unpark(threads[index]);
        OwnWord.ring(word);
    }

    private void run() {
        while (!stopped) {
            try {
                lead();
            } catch (Throwable e) {
                // Callers that are parked have nobody else to learn it from.
                engine.fail(e);
            }
            if (!stopped) {
                LockSupport.park(this);
            }
        }
    }

    private void lead() {
        engine.lock();
        try {
            engine.leadFromThread();
        } finally {
            engine.unlock();
        }
    }

    /** Waits for the threads to end, but not for ever: one may be in a program's callback. All end, also those that nobody waits for any more. */
    void stop(WaitWord word, long deadlineNanos) {
        stopped = true;
        Thread[] running;
        synchronized (this) {
            running = threads.clone();
        }
        boolean interrupted = false;
        for (Thread thread : running) {
            if (thread == null || thread == Thread.currentThread()) {
                continue;
            }
            // Also where the deadline is past: a thread that stayed parked would keep the whole device in memory.
            LockSupport.unpark(thread);
            OwnWord.ring(word);
            while (thread.isAlive() && System.nanoTime() - deadlineNanos < 0) {
                try {
                    thread.join(TimeUnit.MILLISECONDS.toMillis(10));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                LockSupport.unpark(thread);
                OwnWord.ring(word);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
