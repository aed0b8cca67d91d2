package org.sluice.bench.contestant;

import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.rank.RankSetup;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;

/** Sluice itself, as a program of a user would run: started by {@code ./sluice run}'s launcher, opened by {@code Device.open()}. */
public final class SluiceContestants {

    private SluiceContestants() {
    }

    /** Among a crowd where the benchmark has one. */
    public static Contestant of(BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(Results.SLUICE, plan.benchmark().crowded() ? plan.crowd() : 0, plan, java, pinned, Map.of());
    }

    /** The same without the crowd, to compare with. */
    public static Contestant alone(BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(Results.ALONE, 0, plan, java, pinned, Map.of());
    }

    /** The same with each message in a packet of its own. */
    static Contestant separate(BenchPlan plan, JavaCommand java, Cores pinned) {
        return contestant(Peer.SEPARATE.label(), 0, plan, java, pinned, Map.of(Option.IB_COALESCE.environmentVariable(), "off"));
    }

    private static Contestant contestant(String name, int crowd, BenchPlan plan, JavaCommand java, Cores pinned,
            Map<String, String> options) {
        RankSetup setup = new RankSetup(plan.benchmark().crowded() ? "crowd" : "sluice", plan.api(), plan.buffer(), plan.ranks(), 0, 1,
                "", plan.largestBuffer(), crowd);
        return new RankContestant(name, plan.ranks(), new SluiceStarter(java, setup, plan.route(), options), pinned);
    }
}
