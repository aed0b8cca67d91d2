package org.sluice.mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Factors of a number that are as near to each other as it allows: the largest and the smallest differ least; of
 * several such, the larger ones are as small as they can be. <i>Thread</i>: one.
 */
final class BalancedDims {
    private final int[] divisors;
    private final int[] chosen;
    private final int[] best;
    private int bestDifference = Integer.MAX_VALUE;

    private BalancedDims(int product, int factors) {
        this.divisors = divisors(product);
        this.chosen = new int[factors];
        this.best = new int[factors];
        choose(0, product, product);
    }

    /** @param given sizes of dimensions, or 0 for those that are chosen */
    static int[] of(int nodes, int[] given) {
        if (nodes < 1) {
            throw new IllegalArgumentException(nodes + " nodes: 1 or more");
        }
        if (given == null) {
            throw new IllegalArgumentException("dims is null: give an entry for each dimension, 0 where it is chosen");
        }
        long product = 1;
        int free = 0;
        for (int i = 0; i < given.length; i++) {
            if (given[i] < 0) {
                throw new IllegalArgumentException(
                        "dimension " + i + " has size " + given[i] + ": 1 or more, or 0 where it is chosen");
            }
            free += given[i] == 0 ? 1 : 0;
            product = Math.min(product * Math.max(1, given[i]), Integer.MAX_VALUE + 1L);
        }
        if (nodes % product != 0 || free == 0 && product != nodes) {
            throw new IllegalArgumentException("the sizes that " + Arrays.toString(given) + " gives have the product "
                    + (product > Integer.MAX_VALUE ? "of more than " + Integer.MAX_VALUE : product) + ", and there are "
                    + nodes + " nodes: it has to " + (free == 0 ? "be that" : "divide that"));
        }
        int[] dims = given.clone();
        if (free > 0) {
            int[] factors = new BalancedDims((int) (nodes / product), free).best;
            int next = 0;
            for (int i = 0; i < dims.length; i++) {
                dims[i] = dims[i] == 0 ? factors[next++] : dims[i];
            }
        }
        return dims;
    }

    private static int[] divisors(int product) {
        return IntStream.iterate(1, i -> (long) i * i <= product, i -> i + 1)
                .filter(i -> product % i == 0)
                .flatMap(i -> IntStream.of(i, product / i))
                .distinct()
                .sorted()
                .toArray();
    }

    /** The factors from one on, of which none is larger than the one before; small ones come first. */
    private void choose(int position, int rest, int most) {
        int open = chosen.length - position;
        if (open == 0) {
            int difference = chosen[0] - chosen[chosen.length - 1];
            if (difference < bestDifference) {
                bestDifference = difference;
                System.arraycopy(chosen, 0, best, 0, best.length);
            }
            return;
        }
        // The largest of what is open is no less than their mean, and the smallest no more.
        int least = root(rest, open);
        for (int divisor : divisors) {
            int largest = position == 0 ? divisor : chosen[0];
            if (divisor > most || largest - least >= bestDifference) {
                return;
            }
            if (rest % divisor == 0 && (divisor >= least && (open > 1 || divisor == rest))) {
                chosen[position] = divisor;
                choose(position + 1, rest / divisor, divisor);
            }
        }
    }

    /** The least number whose power is no less. */
    private static int root(int product, int exponent) {
        int root = Math.max(1, (int) Math.pow(product, 1.0 / exponent) - 1);
        while (isPowerLess(root, exponent, product)) {
            root++;
        }
        return root;
    }

    private static boolean isPowerLess(int root, int exponent, int product) {
        long power = 1;
        for (int i = 0; i < exponent && power < product; i++) {
            power *= root;
            if (root == 1) {
                break;
            }
        }
        return power < product;
    }
}
