package org.sluice.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs as a process of its own, which a test then stops or kills: called with Java's home, ranks, JVMs, a flag for
 * these, their folder, and their arguments.
 */
public final class DisturbedLauncher {
    private static final int GRACE_S = 5;
    private static final int OWN_ARGUMENTS = 5;

    private DisturbedLauncher() {}

    public static void main(String[] args) throws Exception {
        JavaHome java = JavaHome.of(Path.of(args[0]));
        List<String> jvmOptions = new ArrayList<>(List.of(
                "-Xmx256m", args[3], "-XX:ErrorFile=" + args[4] + "/hs_err_%p.log", "-Djava.io.tmpdir=" + args[4]));
        Program program =
                Program.ofClassPath(System.getProperty("java.class.path"), "org.sluice.hybrid.process.DisturbedRanks");
        RunningJob job = new Launcher(Integer.parseInt(args[1]), program)
                .java(java)
                .jvms(Integer.parseInt(args[2]))
                .graceSeconds(GRACE_S)
                .jvmOptions(jvmOptions)
                .arguments(Arrays.asList(args).subList(OWN_ARGUMENTS, args.length))
                .start();
        JvmExit.with(job.waitFor().status());
    }
}
