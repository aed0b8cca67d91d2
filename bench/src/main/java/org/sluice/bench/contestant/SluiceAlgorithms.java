package org.sluice.bench.contestant;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.bench.report.Results;
import org.sluice.device.option.Option;
import org.sluice.mpi.algorithm.Choice;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.cell.CellCollectives;
import org.sluice.mpi.cell.Cells;

/**
 * Sluice itself with each algorithm of a collective, whatever its table says: to see which is fastest where.
 *
 * <p>Proof: {@code SluiceAlgorithmsTest}.
 */
public final class SluiceAlgorithms {
    private final BenchPlan plan;
    private final Option option;
    private final Collective collective;

    /** @param plan of a collective */
    public SluiceAlgorithms(BenchPlan plan) {
        this.plan = plan;
        this.option = option(plan.benchmark());
        this.collective = Choice.collectives(option).get(0);
    }

    private static Option option(Benchmark benchmark) {
        String property = "sluice.mpi.algorithm." + benchmark.label().replace("-", "");
        return Option.ofProperty(property)
                .orElseThrow(() -> new IllegalArgumentException(benchmark.label() + " has no algorithms"));
    }

    /** All that there are. */
    public List<String> names() {
        return option.words();
    }

    /** Why one doesn't take part, as a line for the user. */
    public Optional<String> refuses(String name) {
        return why(name).map(reason -> label(name) + " sits out: " + reason);
    }

    private Optional<String> why(String name) {
        if (name.equals(Choice.TIERS)) {
            return plan.nodes() > 1 && plan.ranks() > plan.nodes()
                    ? Optional.empty()
                    : Optional.of("all ranks of this race are as near to each other, and tiers are for others");
        }
        if (!Choice.isNoSchedule(name)) {
            return Choice.fits(collective, name, plan.ranks())
                    ? Optional.empty()
                    : Optional.of("it can't do " + plan.benchmark().label() + " of " + plan.ranks() + " ranks");
        }
        if (name.equals(Choice.ARRAYS) && plan.route() != Route.THREADS) {
            return Optional.of("only threads of one JVM see each other's arrays");
        }
        if (name.equals(Choice.FASTER) && (plan.route() == Route.THREADS || plan.ranks() != 2)) {
            return Optional.of("it is for two processes");
        }
        if (plan.route() == Route.IB) {
            return Optional.of("ranks that are joined by verbs alone share no memory");
        }
        if (plan.route() == Route.TCP) {
            return Optional.of("not all ranks share memory, as TCP is between some");
        }
        if (plan.api() == Api.REQUEST) {
            return Optional.of("a collective that is waited for later goes as messages");
        }
        return plan.sizes().stream().anyMatch(size -> runs(name).test(size))
                ? Optional.empty()
                : Optional.of(
                        name.equals(Choice.FASTER)
                                ? "it is for blocks of more than " + (Cells.CELL_BYTES >> 10) + " KB"
                                : "cells take neither " + plan.benchmark().label() + " of " + plan.ranks()
                                        + " ranks nor of these sizes");
    }

    /** At which sizes one takes part. */
    public IntPredicate runs(String name) {
        if (name.equals(Choice.FASTER)) {
            return size -> CellCollectives.wantsMany(collective, size, plan.ranks());
        }
        return size ->
                !name.equals(Choice.CELLS) || CellCollectives.takes(collective, size, Double.BYTES, plan.ranks());
    }

    public Contestant contestant(String name, JavaCommand java, Cores pinned) {
        Map<String, String> options = Map.of(option.environmentVariable(), name);
        return SluiceContestants.variant(SluiceContestants.Use.of(plan, label(name), options), plan, java, pinned);
    }

    private static String label(String name) {
        return Results.SLUICE + "-" + name;
    }
}
