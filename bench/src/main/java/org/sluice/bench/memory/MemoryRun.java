package org.sluice.bench.memory;

import java.util.List;
import org.sluice.bench.contestant.ReadingJob;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/** One job of {@link MemoryRank}s with one send window, and what it read. <i>Fails</i>: as {@link ReadingJob}. */
final class MemoryRun {
    /** Ranks that make more than 512 ends of connections. */
    static final int RANKS = 24;

    private static final int HEAP_MB = 256;

    private final JavaHome java;
    private final int ranks;
    private final int window;

    MemoryRun(JavaHome java, int ranks, int window) {
        this.java = java;
        this.ranks = ranks;
        this.window = window;
    }

    List<MemoryReading> readings() throws InterruptedException {
        Launcher launcher = new Launcher(
                        ranks, Program.ofClassPath(System.getProperty("java.class.path"), MemoryRank.class.getName()))
                .jvms(1)
                .java(java)
                .jvmOptions(steady());
        launcher.environment(Option.CHANNELS.environmentVariable(), "ib");
        launcher.environment(Option.IB_WINDOW.environmentVariable(), Integer.toString(window));
        launcher.environment("MALLOC_ARENA_MAX", "1");
        return new ReadingJob<>(MemoryReading::parse).readings(launcher, MemoryRank.steps(ranks), "readings");
    }

    /** No compiler, and a heap that neither grows nor shrinks: what grows then is what connections take. */
    private static List<String> steady() {
        return List.of(
                "-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms" + HEAP_MB + "m", "-Xmx" + HEAP_MB + "m");
    }
}
