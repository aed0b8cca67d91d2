package org.sluice.bench.contestant;

import java.util.HashMap;
import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;

/** Sluice itself with rendezvous from another length of message on: where the switch from eager to it belongs. */
public final class SluiceSwitches {
    /** Over verbs no longer message is eager than fits into a slot, which is so large by default. */
    private static final int SLOT = 8 << 10;

    private SluiceSwitches() {}

    /** Fails, for the user to read, where the number isn't allowed or the benchmark has no messages of its own. */
    public static void check(int bytes, BenchPlan plan) {
        if (bytes > Option.EAGER_LIMIT.most()) {
            throw new IllegalArgumentException("--switch " + bytes + " is out of range; allowed is 0 to "
                    + Option.EAGER_LIMIT.most() + ": longer messages never go eagerly");
        }
        if (plan.benchmark().isCollective()
                || plan.benchmark().crowded()
                || plan.benchmark().isShare()) {
            throw new IllegalArgumentException("--switch " + bytes + " means nothing to "
                    + plan.benchmark().label() + ": name latency, bandwidth, bibandwidth, rate or neighbor");
        }
    }

    static Map<String, String> options(int bytes) {
        Map<String, String> options = new HashMap<>();
        options.put(Option.EAGER_LIMIT.environmentVariable(), Integer.toString(bytes));
        if (bytes > SLOT) {
            options.put(Option.IB_BODY_BYTES.environmentVariable(), Integer.toString(bytes));
        }
        return options;
    }

    public static Contestant contestant(int bytes, BenchPlan plan, JavaCommand java, Cores pinned) {
        Map<String, String> options = options(bytes);
        return SluiceContestants.variant(
                SluiceContestants.Use.of(plan, Results.SLUICE + "-switch-" + bytes, options), plan, java, pinned);
    }
}
