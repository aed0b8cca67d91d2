package org.sluice.bench.contestant;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.RankOutput;
import org.sluice.launch.RunningJob;

/**
 * A job of Sluice's own launcher, as {@code ./sluice run} starts it.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the job and a daemon thread that waits for its end.
 */
final class RunningSluice implements Running {
    private static final long KILL_MS = 6_000;

    private final LastLines lastLines = new LastLines();
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private final RunningJob job;

    RunningSluice(Launcher launcher) {
        job = launcher.output(RankOutput.captured((rank, error, line) -> lastLines.add("[" + rank + "] " + line)))
                .messages(lastLines::add)
                .graceSeconds(0)
                .start();
        Thread waiter = new Thread(this::awaitResult, "bench-sluice");
        waiter.setDaemon(true);
        waiter.start();
    }

    private void awaitResult() {
        try {
            result.complete(job.waitFor());
        } catch (InterruptedException | RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    @Override
    public boolean isAlive() {
        return !result.isDone();
    }

    @Override
    public String report() {
        return (isAlive()
                        ? "still running, "
                        : result.isCompletedExceptionally()
                                ? "the launcher failed, "
                                : "exit status " + result.join().status() + ", ")
                + lastLines;
    }

    @Override
    public boolean awaitEnd(long timeoutMs) {
        try {
            result.get(timeoutMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void kill() {
        job.stop();
        awaitEnd(KILL_MS);
    }
}
