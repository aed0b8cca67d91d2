package org.sluice.launch;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Says what the launcher has to say on a thread of its own: who supervises a job never waits for a stream that nobody
 * reads.
 *
 * <p>Thread: any; lines are said one after the other, in the order in which they came.
 *
 * <p>Owns: its thread, a daemon, which starts with the first line.
 *
 * <p>Fails: never; lines past {@value #MOST_LINES} that wait are dropped.
 *
 * <p>Proof: {@code AnnouncerTest}, {@code UnreadOutputProcessTest}.
 */
final class Announcer {
    static final int MOST_LINES = 1000;

    private final Consumer<String> to;
    private final Queue<String> waiting = new ArrayDeque<>();
    private Thread thread;
    private boolean isSaying;
    private long said;

    /** @param to may block */
    Announcer(Consumer<String> to) {
        this.to = to;
    }

    /** Doesn't block. */
    synchronized void say(String line) {
        if (waiting.size() < MOST_LINES) {
            waiting.add(line);
            notifyAll();
        }
        if (thread == null) {
            thread = new Thread(null, this::sayAll, "sluice-announcer", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** How many lines have been taken; whether that goes on shows whether anybody reads. */
    synchronized long said() {
        return said;
    }

    synchronized boolean hasSaidAll() {
        return waiting.isEmpty() && !isSaying;
    }

    private void sayAll() {
        while (true) {
            try {
                to.accept(next());
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                // The next line may find its way.
                continue;
            } finally {
                took();
            }
        }
    }

    private synchronized String next() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        isSaying = true;
        return waiting.remove();
    }

    private synchronized void took() {
        isSaying = false;
        said++;
    }
}
