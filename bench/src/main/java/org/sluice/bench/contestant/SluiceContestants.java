package org.sluice.bench.contestant;

import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.rank.RankSetup;
import org.sluice.bench.report.Results;

/** Sluice itself, as a program of a user would run: started by {@code ./sluice run}'s launcher, opened by {@code Device.open()}. */
public final class SluiceContestants {

    private SluiceContestants() {
    }

    public static Contestant of(BenchPlan plan, JavaCommand java, Cores pinned) {
        RankSetup setup = new RankSetup("sluice", plan.api(), plan.buffer(), plan.ranks(), 0, 1, "", plan.largestBuffer());
        return new Contestant(Results.SLUICE, plan.ranks(), new SluiceStarter(java, setup, plan.route()), pinned);
    }
}
