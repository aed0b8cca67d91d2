package org.sluice.hybrid.progress;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.WaitWord;

/**
 * The threads that make progress when callers don't: asked for by option, or one that starts when a caller first parks
 * or wants to be called back. Of several one at most blocks natively, whoever parks meanwhile: while it sleeps it is
 * the one that is woken, and no other begins to lead.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #startAll} and {@link #stop} outside it. <i>Owns</i>: its daemon
 * threads, until stop. <i>Fails</i>: where the system has no thread for it. <i>Proof</i>: {@code SleepTest},
 * {@code ProgressThreadsTest}.
 */
final class ProgressThreads implements Serving.Runners {
    /** Between attempts to start one: each costs a system call, and has the JVM print a warning. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    private static final long PATIENCE_NANOS = 10_000_000_000L;
    /**
     * How often one that is parked looks whether a call was left half-way: callers that are parked have nobody else to
     * tell them.
     */
    private static final long LOOK_NANOS = 1_000_000_000;

    private final ProgressEngine engine;
    private final Thread[] threads;
    private final String name;
    private final ThreadFactory factory;
    /** Why the last start failed, and when; null: it didn't. */
    private OutOfMemoryError refusal;

    private long refusedAt;
    private volatile boolean stopped;
    /**
     * One was asked to look after what waits, and has not begun to, nor given up, since. Written under the progress
     * lock.
     */
    private volatile boolean asked;
    /** Whose turn it is to be woken: under the progress lock. */
    private int next;

    /** @param factory whose threads get their names here */
    ProgressThreads(ProgressEngine engine, int count, String name, ThreadFactory factory) {
        this.engine = engine;
        this.threads = new Thread[count];
        this.name = name;
        this.factory = factory;
    }

    /** What threads are made by where no test makes them. */
    static final class Plain implements ThreadFactory {
        @Override
        public Thread newThread(Runnable body) {
            return new Thread(body);
        }
    }

    boolean isStopped() {
        return stopped;
    }

    @Override
    public boolean isOne(Thread thread) {
        for (Thread each : threads) {
            if (each == thread) {
                return true;
            }
        }
        return false;
    }

    /** All of them, or none. Not under the progress lock. */
    void startAll(WaitWord word) {
        for (int i = 0; i < threads.length; i++) {
            if (!start(i)) {
                stop(word, System.nanoTime() + PATIENCE_NANOS);
                throw refused();
            }
        }
    }

    /** @return false where there is no thread that could be woken, and none can be started now */
    boolean isReady() {
        return start(next);
    }

    /**
     * Before somebody relies on a thread.
     *
     * @throws SluiceException NO_MEMORY where there is none, and none can be started now
     */
    void require() {
        if (!isReady()) {
            throw refused();
        }
    }

    private synchronized SluiceException refused() {
        return new SluiceException(
                ErrorCode.NO_MEMORY,
                -1,
                "the thread " + name + ", which makes progress while the program doesn't, could not be started: "
                        + refusal.getMessage()
                        + ". Let the program have fewer threads, or raise its limit (ulimit -u, or pids.max of its"
                        + " container)",
                refusal);
    }

    /** @return whether it runs, or is to run no more */
    private synchronized boolean start(int index) {
        if (threads[index] != null || stopped) {
            return true;
        }
        if (refusal != null && System.nanoTime() - refusedAt < PAUSE_NANOS) {
            return false;
        }
        try {
            Thread thread = factory.newThread(new Runnable() {
                @Override
                public void run() {
                    ProgressThreads.this.run();
                }
            });
            thread.setName(name + "-" + index);
            thread.setDaemon(true);
            thread.start();
            threads[index] = thread;
            return true;
        } catch (OutOfMemoryError e) {
            refusal = e;
            refusedAt = System.nanoTime();
            return false;
        }
    }

    /**
     * Wakes a thread, because nobody leads any more. Where there is none, and none can be started now, none was asked.
     *
     * @param asleep the one that sleeps on the word, which has to look then; null: none does, and one that is parked is
     *     woken
     */
    synchronized void takeOver(WaitWord word, Thread asleep) {
        Thread thread = asleep == null ? nextThread() : asleep;
        if (thread != null) {
            // First: who is parked looks at it when it wakes.
            asked = true;
            // Also of one that sleeps: without the native library it naps in Java.
            LockSupport.unpark(thread);
            OwnWord.ring(word);
        }
    }

    private Thread nextThread() {
        int index = next;
        next = (next + 1) % threads.length;
        return start(index) ? threads[index] : null;
    }

    /** Under the progress lock. */
    boolean isAsked() {
        return asked;
    }

    /** By a thread that looks, or gives up: who needs one from now on asks again. Under the progress lock. */
    void answered() {
        asked = false;
    }

    private void run() {
        while (!stopped) {
            try {
                lead();
            } catch (Throwable e) {
                // Callers that are parked have nobody else to learn it from.
                engine.fail(e);
            }
            // Who asked while the program's code ran here may have ended a park of that code's, and no later one.
            while (!stopped && !asked && !engine.isEndDue()) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                // Means nothing to this thread, and would end every later park at once.
                Thread.interrupted();
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

    /**
     * Waits for the threads to end, but not for ever: one may be in a program's callback. All end, also those that
     * nobody waits for any more.
     */
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
