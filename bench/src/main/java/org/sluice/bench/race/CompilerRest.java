package org.sluice.bench.race;

import java.util.Arrays;

/**
 * Whether the compilers of a contestant's JVMs rest: while they work they take a core from its ranks, and what they
 * bring changes the figures.
 *
 * <p>On a processor in silicon they do so after the seconds that a warm-up takes in any case; where the processor is
 * emulated, they work for many times as long as the ranks that they compile for. <i>Thread</i>: one. <i>Proof</i>:
 * {@code CompilerRestTest}.
 */
final class CompilerRest {
    /** Of one core for each JVM, and of all cores for all JVMs together. */
    static final double RESTING_SHARE = 0.05;
    /** After this whoever still compiles is taken as it is. */
    static final double SECONDS_MOST = 60;

    /**
     * Passes in which they rest, one behind the other, where many JVMs share a core: a method is often compiled anew a
     * second after the others, and eight JVMs on two cores then take a second over it.
     */
    static final int PASSES_OF_MANY = 3;

    private static final int MANY_ON_A_CORE = 3;

    private static final double NS_PER_MS = 1e6;
    private static final double SECOND = 1e9;

    private final int cores;
    private final long beginNs;
    private long lastNs;
    private long[] lastMs;
    private int resting;

    /**
     * @param cores that all have together
     * @param compilerMs processor time of the compilers of each JVM so far
     */
    CompilerRest(int cores, long nowNs, long[] compilerMs) {
        this.cores = cores;
        this.beginNs = nowNs;
        this.lastNs = nowNs;
        this.lastMs = compilerMs;
    }

    /** After a pass of warm-up: whether another is to follow. */
    boolean isToGoOn(long nowNs, long[] compilerMs) {
        long mostMs = 0;
        long allMs = 0;
        for (int jvm = 0; jvm < compilerMs.length; jvm++) {
            long ms = compilerMs[jvm] - lastMs[jvm];
            mostMs = Math.max(mostMs, ms);
            allMs += ms;
        }
        double share = Math.max(mostMs, (double) allMs / cores) * NS_PER_MS / Math.max(1, nowNs - lastNs);
        lastNs = nowNs;
        lastMs = compilerMs;
        resting = share > RESTING_SHARE ? 0 : resting + 1;
        // Native ranks have compilers that never work.
        long jvms = Arrays.stream(compilerMs).filter(ms -> ms > 0).count();
        int passes = jvms >= (long) MANY_ON_A_CORE * cores ? PASSES_OF_MANY : 1;
        return resting < passes && nowNs - beginNs < SECONDS_MOST * SECOND;
    }
}
