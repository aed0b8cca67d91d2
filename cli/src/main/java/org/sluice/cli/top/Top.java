package org.sluice.cli.top;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The refreshing table. <i>Thread</i>: one. <i>Proof</i>: {@code TopProcessTest}. */
public final class Top {
    /** Cursor to the first place, and everything behind it away. */
    private static final String CLEAR = "\033[H\033[J";

    private final WatchedJobs jobs;
    private final TopTable table;
    private final long intervalMs;
    private final PrintWriter out;
    private final PrintWriter err;

    public Top(WatchedJobs jobs, boolean peersToo, long intervalMs, PrintWriter out, PrintWriter err) {
        this.jobs = jobs;
        this.table = new TopTable(peersToo);
        this.intervalMs = intervalMs;
        this.out = out;
        this.err = err;
    }

    /**
     * @return whether there was a job
     * @param once one table, else one each interval until the last rank has ended
     */
    public boolean run(boolean once, boolean isTerminal) throws IOException, InterruptedException {
        List<Sample> before = jobs.sample();
        if (before.isEmpty()) {
            return false;
        }
        while (true) {
            Thread.sleep(intervalMs);
            List<Sample> now = jobs.sample();
            String head =
                    once ? "" : (isTerminal ? CLEAR : "") + LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + "\n";
            boolean isOver = now.isEmpty() && !jobs.mayBeOpen();
            out.print(head + (isOver ? "no device is open any more\n" : table.of(before, now)));
            out.flush();
            jobs.silent("is not shown").forEach(err::println);
            err.flush();
            if (once || isOver) {
                return true;
            }
            before = now;
        }
    }
}
