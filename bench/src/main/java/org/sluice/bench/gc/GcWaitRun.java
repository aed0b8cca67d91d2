package org.sluice.bench.gc;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.contestant.ReadingJob;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;

/** One job of two {@link GcWaitRank}s, and what it read. <i>Fails</i>: as {@link ReadingJob}. */
final class GcWaitRun {
    private static final int RANKS = 2;

    private final JavaHome java;
    private final List<Integer> sizes;
    private final int seconds;

    GcWaitRun(JavaHome java, List<Integer> sizes, int seconds) {
        this.java = java;
        this.sizes = sizes;
        this.seconds = seconds;
    }

    List<GcWaitReading> readings() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(seconds)));
        sizes.forEach(size -> arguments.add(Integer.toString(size)));
        Launcher launcher = new Launcher(
                        RANKS, Program.ofClassPath(System.getProperty("java.class.path"), GcWaitRank.class.getName()))
                .java(java)
                .jvmOptions(List.of("-Xms256m", "-Xmx256m"))
                .arguments(arguments);
        launcher.environment(Option.CHANNELS.environmentVariable(), "shm");
        return new ReadingJob<>(GcWaitReading::parse).readings(launcher);
    }
}
