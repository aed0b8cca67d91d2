package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.sluice.bench.plan.Api;

/** The kernels that there are. */
public enum KernelName {
    EP(EmbarrassinglyParallel::new, "pairs of random numbers, counted; ranks meet once"),
    IS(IntegerSort::new, "integers, sorted; all ranks to all"),
    CG(ConjugateGradient::new, "an eigenvalue of a sparse matrix; sums and vectors at all ranks"),
    FT(FourierTransform::new, "Fourier transforms in three dimensions; all ranks to all", 32),
    MG(Multigrid::new, "Poisson's equation, on grids from coarse to fine; layers to both neighbours", 16),
    LU(LowerUpper::new, "a flow, by sweeps through a cube; many small messages to the next ranks", 16),
    NBODY_TREE(NbodyTree::new, "stars that fall together, by a tree of each rank; parts of trees from all to all"),
    NBODY_PATCHES(NbodyPatches::new, "bodies that feel near ones, in patches; places to all 26 neighbours");

    /** Of either n-body, timed. */
    public static final int STEPS = 10;

    /** So many as a benchmark has. */
    private static final int RANKS_MOST = 64;

    private final Supplier<Kernel> maker;
    private final String meaning;
    /** So many have a part of the shortest side of any class; 0: any number of ranks has. */
    private final int powerMost;

    KernelName(Supplier<Kernel> maker, String meaning) {
        this(maker, meaning, 0);
    }

    KernelName(Supplier<Kernel> maker, String meaning, int powerMost) {
        this.maker = maker;
        this.meaning = meaning;
        this.powerMost = powerMost;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For titles. */
    public String meaning() {
        return meaning;
    }

    /** Whether its problem can grow with ranks. */
    public boolean canGrow() {
        return this == NBODY_TREE || this == NBODY_PATCHES;
    }

    /** With which it can be run; the first if nobody asks. */
    public List<Api> apis() {
        return this == NBODY_PATCHES ? List.of(Api.HANDLER, Api.REQUEST) : List.of(Api.BLOCKING);
    }

    /** With which it is run. */
    Api api(Problem problem) {
        return apis().contains(problem.api()) ? problem.api() : apis().get(0);
    }

    /** @throws IllegalArgumentException if it can't run with these calls */
    public void checkApi(Api asked) {
        if (!apis().contains(asked)) {
            throw new IllegalArgumentException("--api " + asked.label() + ": " + label() + " has no such calls; allowed"
                    + (apis().size() == 1 ? " is " : " are ")
                    + apis().stream().map(each -> "--api " + each.label()).collect(Collectors.joining(", ")));
        }
    }

    Kernel make() {
        return maker.get();
    }

    /** @throws IllegalArgumentException if it can't run on so many */
    public void checkRanks(int ranks) {
        if (powerMost > 0) {
            if (ranks < 1 || ranks > powerMost || Integer.bitCount(ranks) != 1) {
                throw new IllegalArgumentException("--ranks " + ranks + ": " + label()
                        + " runs on a power of two of ranks, from 1 to " + powerMost);
            }
        } else if (ranks < 1 || ranks > RANKS_MOST) {
            throw new IllegalArgumentException(
                    "--ranks " + ranks + ": " + label() + " runs on any number of ranks from 1 to " + RANKS_MOST);
        }
    }

    public static Optional<KernelName> named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    public static String labels() {
        return Arrays.stream(values()).map(KernelName::label).collect(Collectors.joining(", "));
    }
}
