package org.sluice.launch;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether there is room for as many ranks as are to start here, by the memory of the machine or of the control group,
 * and by how many processes and threads are allowed: a slip of the keys should not start processes until nothing else
 * runs, nor have the kernel end the launcher. It counts what bare ranks were seen to take, so what it lets through may
 * still be too much for a program.
 *
 * <p>Proof: {@code RoomForRanksTest}.
 */
public final class RoomForRanks {
    /** Nobody asks below: that much fits wherever Sluice runs. */
    private static final int NEVER_REFUSED = 4;

    private static final long LAUNCHER_MB = 48;
    private static final long JVM_MB = 32;
    private static final long RANK_MB = 2;
    private static final long LAUNCHER_TASKS = 20;
    private static final long JVM_TASKS = 20;
    private static final long RANK_TASKS = 1;
    /** Beyond it a job stands still for seconds each time that all ranks wait for each other. */
    private static final int RANKS_A_CORE = 32;

    private static final long KB_A_MB = 1024;
    /** What the launcher has open for a while as it starts one rank after the other. */
    private static final int LAUNCHER_FILES = 6;
    /** Of a JVM whose output it reads. */
    private static final int PIPES = 2;

    /** @param text as in "this machine has 8192 MB" */
    private record Room(long amount, String text) {
        Room least(Room other) {
            return other.amount < amount ? other : this;
        }
    }

    private final Room memoryMb;
    private final Room tasks;
    private final int cores;

    RoomForRanks(long machineMb, ControlGroup group, long userTasksLeft, int cores) {
        ControlGroup.Limit memory = group.memory();
        ControlGroup.Limit left = group.tasksLeft();
        this.memoryMb = new Room(machineMb, "this machine has " + machineMb + " MB")
                .least(new Room(
                        memory.isThere() ? memory.amount() >> 20 : ControlGroup.UNLIMITED,
                        "this process's control group allows " + (memory.amount() >> 20) + " MB (" + memory.file()
                                + ")"));
        this.tasks = new Room(userTasksLeft, "this user may have " + userTasksLeft + " more (ulimit -u)")
                .least(new Room(
                        left.amount(),
                        "this process's control group allows " + left.amount() + " more (" + left.file() + ")"));
        this.cores = cores;
    }

    /** Where the kernel doesn't say, everything fits. */
    public static RoomForRanks here() {
        return new RoomForRanks(
                machineMb(),
                ControlGroup.ofThisProcess(),
                UserTasks.left(),
                Runtime.getRuntime().availableProcessors());
    }

    private static long machineMb() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) / KB_A_MB;
                }
            }
        } catch (IOException e) {
            // Taken as unknown, below.
        }
        return Long.MAX_VALUE;
    }

    /** @throws IllegalArgumentException if they can't fit */
    public void check(int ranks, int jvms) {
        String refusal = refusal(ranks, jvms);
        if (ranks > NEVER_REFUSED && !refusal.isEmpty()) {
            throw new IllegalArgumentException("-n " + ranks + ": " + refusal);
        }
    }

    /** @return why so many can't run, and how many can; empty if they fit */
    public String refusal(int ranks, int jvms) {
        String what = ranks + " ranks in " + (jvms == 1 ? "one JVM" : jvms + " JVMs") + " take ";
        long mb = LAUNCHER_MB + jvms * JVM_MB + ranks * RANK_MB;
        if (mb > memoryMb.amount) {
            return what + mb + " MB or more, and " + memoryMb.text
                    + allowed(memoryMb.amount - LAUNCHER_MB, JVM_MB, RANK_MB);
        }
        long threads = LAUNCHER_TASKS + jvms * JVM_TASKS + ranks * RANK_TASKS;
        return threads <= tasks.amount
                ? ""
                : what + threads + " processes and threads or more, and " + tasks.text
                        + allowed(tasks.amount - LAUNCHER_TASKS, JVM_TASKS, RANK_TASKS);
    }

    /**
     * Tries it, as no file says how many are open.
     *
     * @param reads whether the launcher reads what they print
     * @return why the launcher can't have so many files open; empty if it can
     */
    public static String filesRefusal(int ranks, int jvms, boolean reads) {
        int files = LAUNCHER_FILES + ranks + jvms * (1 + (reads ? PIPES : 0));
        List<FileInputStream> open = new ArrayList<>();
        try {
            while (open.size() < files) {
                open.add(new FileInputStream("/dev/null"));
            }
            return "";
        } catch (IOException e) {
            return "the launcher of " + ranks + (ranks == 1 ? " rank" : " ranks") + " needs " + files
                    + " more open files, and " + open.size() + " can be opened (" + e.getMessage()
                    + "): raise ulimit -n";
        } finally {
            open.forEach(RoomForRanks::close);
        }
    }

    private static void close(FileInputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            // Nothing was read.
            return;
        }
    }

    private static String allowed(long left, long ofJvm, long ofRank) {
        return "; allowed are " + most(left / (ofJvm + ofRank)) + " ranks as a JVM each, or "
                + most((left - ofJvm) / ofRank) + " as threads of one JVM (--jvms 1)";
    }

    private static long most(long fitting) {
        return Math.max(NEVER_REFUSED, fitting);
    }

    /** @return what to expect of so many ranks on these cores; empty if nothing unusual */
    public String warning(int ranks) {
        return ranks <= (long) RANKS_A_CORE * cores
                ? ""
                : "-n " + ranks + ": " + ranks + " ranks on " + (cores == 1 ? "one core" : cores + " cores")
                        + " take turns, and starting them takes long: a rank waits in Device.open for the last one;"
                        + " fewer JVMs (--jvms) start sooner";
    }
}
