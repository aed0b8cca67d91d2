package org.sluice.bench.kernels;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The kernels that there are. */
public enum NasKernel {
    EP(EmbarrassinglyParallel::new, "pairs of random numbers, counted; ranks meet once"),
    IS(IntegerSort::new, "integers, sorted; all ranks to all"),
    CG(ConjugateGradient::new, "an eigenvalue of a sparse matrix; sums and vectors at all ranks"),
    FT(FourierTransform::new, "Fourier transforms in three dimensions; all ranks to all");

    /** So many as a benchmark has. */
    private static final int RANKS_MOST = 64;
    /** As many layers as the shortest side of any class has. */
    private static final int LAYERS_LEAST = 32;

    private final Supplier<Kernel> maker;
    private final String meaning;

    NasKernel(Supplier<Kernel> maker, String meaning) {
        this.maker = maker;
        this.meaning = meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** For titles. */
    public String meaning() {
        return meaning;
    }

    Kernel make() {
        return maker.get();
    }

    /** @throws IllegalArgumentException if it can't run on so many */
    public void checkRanks(int ranks) {
        if (this == FT) {
            if (ranks < 1 || ranks > LAYERS_LEAST || Integer.bitCount(ranks) != 1) {
                throw new IllegalArgumentException(
                        "--ranks " + ranks + ": " + label() + " runs on 1, 2, 4, 8, 16 or " + LAYERS_LEAST + " ranks");
            }
        } else if (ranks < 1 || ranks > RANKS_MOST) {
            throw new IllegalArgumentException(
                    "--ranks " + ranks + ": " + label() + " runs on any number of ranks from 1 to " + RANKS_MOST);
        }
    }

    public static Optional<NasKernel> named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    public static String labels() {
        return Arrays.stream(values()).map(NasKernel::label).collect(Collectors.joining(", "));
    }
}
