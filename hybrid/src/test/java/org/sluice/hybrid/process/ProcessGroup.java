package org.sluice.hybrid.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that leads a group of its own, and whatever it started: what a terminal, a batch system or the kernel's
 * memory killer ends as one.
 */
public final class ProcessGroup {
    private static final int GROUP_FIELD = 2;
    private static final long PATIENCE_S = 20;

    private final Process leader;

    /** @param leader started by way of {@code setsid} */
    public ProcessGroup(Process leader) {
        this.leader = leader;
    }

    /** Whatever the leader started, whose parent may be gone. */
    public List<ProcessHandle> members() {
        return ProcessHandle.allProcesses()
                .filter(process -> groupOf(process.pid()) == leader.pid())
                .toList();
    }

    /** 0 where there is no such process any more. */
    private static long groupOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[GROUP_FIELD]);
        } catch (IOException e) {
            return 0;
        }
    }

    /** By one call of the kernel, so that none sees another end first. */
    public void signal(String signal) throws IOException, InterruptedException {
        kill(signal, "-" + leader.pid());
    }

    public void signalLeader(String signal) throws IOException, InterruptedException {
        kill(signal, Long.toString(leader.pid()));
    }

    private static void kill(String signal, String whom) throws IOException, InterruptedException {
        int status = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + whom)
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + signal + " " + whom + " exited with status " + status);
        }
    }

    public void endAll() throws Exception {
        for (ProcessHandle process : members()) {
            process.destroyForcibly();
            process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }
}
