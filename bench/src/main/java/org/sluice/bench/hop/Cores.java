package org.sluice.bench.hop;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/**
 * The processors that this process may use, by number, and the pinning of threads to them.
 *
 * <p>Thread: any; {@link #pinCaller} acts on the calling thread.
 */
public final class Cores {
    private static final int MASK_WORDS = 16;

    private final int[] numbers;

    private Cores(int[] numbers) {
        this.numbers = numbers;
    }

    /** Of the calling thread, so ask before it is pinned. Empty when the native library is not available. */
    public static Cores allowed() {
        long[] mask = new long[MASK_WORDS];
        if (Os.calls().schedGetaffinity(0, mask) < 0) {
            return new Cores(new int[0]);
        }
        return new Cores(java.util.BitSet.valueOf(mask).stream().toArray());
    }

    /** From {@link #toString()}'s form. */
    public static Cores parse(String list) {
        return new Cores(
                list.isEmpty()
                        ? new int[0]
                        : Arrays.stream(list.split(","))
                                .mapToInt(Integer::parseInt)
                                .toArray());
    }

    public int count() {
        return numbers.length;
    }

    public int number(int index) {
        return numbers[index];
    }

    /** The same, the last first. */
    public Cores reversed() {
        return new Cores(IntStream.range(0, numbers.length)
                .map(i -> numbers[numbers.length - 1 - i])
                .toArray());
    }

    public static void pinCaller(int core) {
        OsCalls os = Os.calls();
        long[] mask = new long[MASK_WORDS];
        mask[core / Long.SIZE] = 1L << (core % Long.SIZE);
        int result = os.schedSetaffinity(0, mask);
        if (result < 0) {
            throw new IllegalStateException("sched_setaffinity to core " + core + " failed with errno " + -result
                    + "; use --no-pin, or give this process the core");
        }
    }

    @Override
    public String toString() {
        return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }
}
