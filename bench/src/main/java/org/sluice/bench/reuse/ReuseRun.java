package org.sluice.bench.reuse;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.contestant.ReadingJob;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/** One job of two {@link ReuseRank}s, and what it read. <i>Fails</i>: as {@link ReadingJob}. */
final class ReuseRun {
    /** Of the buffers that are used one after the other: four times what stays registered. */
    static final int RING_BYTES = 16 << 20;

    private static final int CACHE_BYTES = RING_BYTES / 4;
    private static final int RANKS = 2;

    private final JavaHome java;
    private final List<Integer> sizes;
    private final long milliseconds;
    private final boolean isCached;

    ReuseRun(JavaHome java, List<Integer> sizes, long milliseconds, boolean isCached) {
        this.java = java;
        this.sizes = sizes;
        this.milliseconds = milliseconds;
        this.isCached = isCached;
    }

    List<ReuseReading> readings() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Long.toString(milliseconds)));
        sizes.forEach(size -> arguments.add(Integer.toString(size)));
        Launcher launcher = new Launcher(
                        RANKS, Program.ofClassPath(System.getProperty("java.class.path"), ReuseRank.class.getName()))
                .java(java)
                .arguments(arguments);
        launcher.environment(Option.CHANNELS.environmentVariable(), "ib");
        launcher.environment(Option.IB_CACHE_BYTES.environmentVariable(), Integer.toString(isCached ? CACHE_BYTES : 0));
        return new ReadingJob<>(ReuseReading::parse)
                .readings(launcher, sizes.size() * ReuseBench.USES.size(), "readings");
    }
}
