package org.sluice.bench.contestant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.sluice.launch.Launcher;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * A job whose ranks print readings, one in a line, among whatever else they say.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the job, until {@link #readings} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what the ranks said last.
 */
public final class ReadingJob<T> {
    private final Function<String, T> parse;
    private final List<T> readings = Collections.synchronizedList(new ArrayList<>());
    private final LastLines lastLines = new LastLines();

    /** @param parse a line's reading, null if it has none */
    public ReadingJob(Function<String, T> parse) {
        this.parse = parse;
    }

    /**
     * Starts the job and waits for its end.
     *
     * @param count how many readings there have to be
     * @param what they are of, for who is told that there are less
     */
    public List<T> readings(Launcher launcher, int count, String what) throws InterruptedException {
        int status = status(launcher);
        if (status != 0 || readings.size() != count) {
            throw failure(status, readings.size() + " of " + count + " " + what);
        }
        return List.copyOf(readings);
    }

    /** As {@link #readings(Launcher, int, String)}, where nobody knows how many there will be. */
    public List<T> readings(Launcher launcher) throws InterruptedException {
        int status = status(launcher);
        if (status != 0) {
            throw failure(status, readings.size() + " readings");
        }
        return List.copyOf(readings);
    }

    private int status(Launcher launcher) throws InterruptedException {
        RunningJob job = launcher.graceSeconds(0)
                .messages(lastLines::add)
                .output(RankOutput.captured((rank, error, line) -> take(line)))
                .start();
        try {
            return job.waitFor().status();
        } catch (InterruptedException e) {
            job.stop();
            throw e;
        }
    }

    private IllegalStateException failure(int status, String said) {
        return new IllegalStateException("the ranks ended with status " + status + " after " + said + "; " + lastLines);
    }

    private void take(String line) {
        T reading = parse.apply(line);
        if (reading == null) {
            lastLines.add(line);
        } else {
            readings.add(reading);
        }
    }
}
