package org.sluice.launch;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits at a job's end for what was printed to reach its reader: as long as it moves, but not for ever. A reader may
 * have stopped, and a child that a rank left behind may hold its output open.
 *
 * <p>Thread: the job's supervisor, when no rank lives any more.
 *
 * <p>Proof: {@code UnreadOutputProcessTest}, {@code LauncherProcessTest}.
 */
final class OutputEnd {
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_MS = 5;

    private final List<LinePump> pumps;
    private final Announcer announcer;
    private final long endNanos = System.nanoTime() + LONGEST_NANOS;

    OutputEnd(List<LinePump> pumps, Announcer announcer) {
        this.pumps = pumps;
        this.announcer = announcer;
    }

    /** Of the ranks. */
    void awaitPumps() throws InterruptedException {
        long movedNanos = System.nanoTime();
        long moved = -1;
        for (LinePump pump : pumps) {
            while (!pump.join(LOOK_MS)) {
                long now = pumps.stream().mapToLong(LinePump::moved).sum();
                movedNanos = now == moved ? movedNanos : System.nanoTime();
                moved = now;
                if (isOver(movedNanos)) {
                    return;
                }
            }
        }
    }

    /** Of the launcher itself. */
    void awaitAnnouncer() throws InterruptedException {
        long movedNanos = System.nanoTime();
        long moved = announcer.said();
        while (!announcer.hasSaidAll() && !isOver(movedNanos)) {
            Thread.sleep(LOOK_MS);
            long now = announcer.said();
            movedNanos = now == moved ? movedNanos : System.nanoTime();
            moved = now;
        }
    }

    private boolean isOver(long movedNanos) {
        long now = System.nanoTime();
        return now - movedNanos > STILL_NANOS || now - endNanos > 0;
    }
}
