package org.sluice.launch;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sluice.device.option.Option;

/**
 * Tells, once in a job's life, of ranks that others wait for in their opening: until that fails nobody else says why
 * the job stands still.
 *
 * <p>Thread: the server's only, but for {@link #onLate}.
 *
 * <p>Proof: {@code LateRanksTest}, {@code LauncherProcessTest}.
 */
final class LateRanks {
    /** Since the last rank came: those of a large job come one after the other, for longer than this in all. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Where it took longer for a rank to come it may take as long for the next, but no longer than this. */
    private static final long MOST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private volatile Consumer<String> lines = line -> {};
    private final long beganNanos;
    private boolean said;

    LateRanks() {
        this(System.nanoTime());
    }

    /** @param beganNanos when its ranks were started */
    LateRanks(long beganNanos) {
        this.beganNanos = beganNanos;
    }

    /** @param listener may not block */
    void onLate(Consumer<String> listener) {
        lines = listener;
    }

    /** @param ended ranks whose programs have ended */
    void look(List<JobRound> rounds, BitSet ended, long nowNanos) {
        for (JobRound round : rounds) {
            List<JobConnection> waiting = said ? List.of() : round.waiting();
            if (!waiting.isEmpty() && nowNanos - round.lastStepNanos() > patienceNanos(round.lastStepNanos())) {
                said = true;
                lines.accept(text(waiting, round.absent(ended)));
            }
        }
    }

    private long patienceNanos(long lastStepNanos) {
        return Math.max(PATIENCE_NANOS, Math.min(MOST_PATIENCE_NANOS, lastStepNanos - beganNanos));
    }

    private static String text(List<JobConnection> waiting, String absent) {
        boolean one = waiting.size() == 1;
        long soonestMs = waiting.stream()
                .mapToLong(connection -> connection.fenceTimeoutMs)
                .min()
                .orElse(0);
        return RankList.text(waiting.stream().map(connection -> connection.rank).toList()) + (one ? " waits" : " wait")
                + " in Device.open: " + absent + " so far; " + (one ? "it gives" : "they give") + " up after "
                + soonestMs + " ms (" + Option.OPEN_TIMEOUT_MS.property() + ")";
    }
}
