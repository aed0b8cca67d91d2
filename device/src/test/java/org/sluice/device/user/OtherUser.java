package org.sluice.device.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An ordinary user of the machine beside the one whose job is tested. Tests play with him what a stranger may try; only
 * root can make users, so that for anybody else such a test is skipped, with that reason.
 */
public final class OtherUser {

    /** What of the machine's environment a command of his has. */
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final long LIMIT_S = 60;

    private final String name;

    private OtherUser(String name) {
        this.name = name;
    }

    /** The stranger, made at the first call; he has no password, no home and no group but his own. */
    public static OtherUser stranger() throws IOException, InterruptedException {
        return named("sluice-stranger");
    }

    /** An ordinary user who may own a job himself. */
    public static OtherUser owner() throws IOException, InterruptedException {
        return named("sluice-owner");
    }

    private static OtherUser named(String name) throws IOException, InterruptedException {
        assumeTrue(isRoot(), "only root can make another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/useradd")), "there is no useradd here");
        if (finish(new ProcessBuilder("id", "-u", name)).status != 0) {
            Result made = finish(new ProcessBuilder(
                    "/usr/sbin/useradd", "--system", "--no-create-home", "--user-group", "--shell", "/bin/sh", name));
            // Another test JVM may have been quicker.
            assertTrue(made.status == 0 || finish(new ProcessBuilder("id", "-u", name)).status == 0, made.output);
        }
        return new OtherUser(name);
    }

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    public String name() {
        return name;
    }

    /** A builder of a process that runs as this user, without what the test's own environment says. */
    public ProcessBuilder command(String... words) {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=" + name, "--regid=" + name, "--clear-groups"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        builder.environment().put("LANG", "C.UTF-8");
        return builder;
    }

    /** Runs a line of shell as this user: its status, and what it printed on both streams. */
    public Result shell(String line) throws IOException, InterruptedException {
        return finish(command("/bin/sh", "-c", line));
    }

    /** Makes a file or folder his. */
    public void give(Path path) throws IOException, InterruptedException {
        Result given = finish(new ProcessBuilder("chown", "-R", name + ":", path.toString()));
        assertEquals(0, given.status, given.output);
    }

    private static Result finish(ProcessBuilder builder) throws IOException, InterruptedException {
        Path output = Files.createTempFile("other-user", ".txt");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertTrue(ended, "still running after " + LIMIT_S + " s: " + builder.command() + "\n" + text);
            return new Result(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }

    /** How a command ended. */
    public static final class Result {

        public final int status;
        public final String output;

        Result(int status, String output) {
            this.status = status;
            this.output = output;
        }
    }
}
