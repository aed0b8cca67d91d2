package org.sluice.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.hop.HopStates;
import org.sluice.bench.plan.BenchPlan;

/** All rounds of one race, or of several of the same kind. */
public final class Results {
    public static final String SLUICE = "sluice";
    /** Sluice without the crowd, where a benchmark has one. */
    public static final String ALONE = "alone";

    private final BenchPlan plan;
    private final Machine machine;
    private final boolean pinned;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<String> peers = new ArrayList<>();
    private boolean isNew;
    private int starts;
    private HopStates states = new HopStates(new double[0]);

    public Results(BenchPlan plan, Machine machine, boolean pinned) {
        this.plan = plan;
        this.machine = machine;
        this.pinned = pinned;
    }

    /** What follows, if anything, is of processes that were started anew. */
    public void begin() {
        isNew = true;
    }

    public void add(Measurement measurement) {
        measurements.add(measurement);
        starts += isNew ? 1 : 0;
        isNew = false;
        if (!peers.contains(measurement.peer())) {
            // All others are compared with the first, also where it failed in the first of several starts.
            peers.add(measurement.peer().equals(SLUICE) ? 0 : peers.size(), measurement.peer());
        }
    }

    /** Sorts all hops so far into states; to be called after the last {@link #add} and before anything is compared. */
    public void sortHops() {
        states = new HopStates(measurements.stream()
                .flatMapToDouble(m -> java.util.stream.DoubleStream.of(m.hopBefore(), m.hopAfter()))
                .toArray());
    }

    public BenchPlan plan() {
        return plan;
    }

    public Machine machine() {
        return machine;
    }

    public boolean pinned() {
        return pinned;
    }

    /** Who was measured at all: Sluice, then in order of appearance. */
    public List<String> peers() {
        return peers;
    }

    /** How many starts have measurements in here. */
    public int starts() {
        return starts;
    }

    public int rounds() {
        return measurements.stream().mapToInt(Measurement::round).max().orElse(0);
    }

    public List<Measurement> of(String peer, int size) {
        return measurements.stream()
                .filter(m -> m.size() == size && m.peer().equals(peer))
                .toList();
    }

    /** Whose rounds stand for the size, for all contestants alike. */
    public HopState state(int size) {
        return new RowState(
                        peers.stream()
                                .map(peer -> of(peer, size))
                                .filter(rounds -> !rounds.isEmpty())
                                .toList(),
                        states)
                .choose();
    }

    /** The rounds that stand for the contestant at this size. */
    public List<Measurement> comparable(String peer, int size) {
        return Comparison.inState(of(peer, size), states, state(size));
    }

    public Comparison compare(String peer, String other, int size) {
        return Comparison.of(of(peer, size), of(other, size), states, state(size));
    }

    /** As {@link #compare}, of what is left of latencies without the filling of buffers. */
    Comparison compareWithoutFill(String peer, String other, int size) {
        return Comparison.of(of(peer, size), of(other, size), states, state(size), Measurement::withoutFill);
    }

    /**
     * Whether each size has rounds enough: of the first contestant, and of it beside each other one that runs that
     * size.
     */
    public boolean enough() {
        sortHops();
        for (int size : plan.sizes()) {
            for (String peer : peers) {
                if (!of(peer, size).isEmpty() && rounds(peer, size) < Comparison.ROUNDS_LEAST) {
                    return false;
                }
            }
        }
        return !peers.isEmpty();
    }

    private int rounds(String peer, int size) {
        String first = peers.get(0);
        return peer.equals(first) || of(first, size).isEmpty()
                ? comparable(peer, size).size()
                : compare(first, peer, size).rounds();
    }

    public List<String> json() {
        return measurements.stream()
                .map(m -> BenchRecord.json(plan, machine, m, states.of(m.hopBefore(), m.hopAfter()), pinned))
                .toList();
    }
}
