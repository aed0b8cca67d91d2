package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.tier.MoreWithAll;
import org.sluice.hybrid.process.ProcessGroup;

/**
 * A pager at its first page, a stalled ssh, a stopped terminal: nobody reads what a job prints, and it ends all the
 * same.
 */
@Tag("once")
@Timeout(120)
final class UnreadOutputProcessTest {
    private static final int RANKS = 3;
    private static final long PATIENCE_S = 60;

    @TempDir
    private Path stalled;

    private ProcessGroup group;

    /**
     * The launcher, whose output the test doesn't read; called with whether it prefixes lines, and the folder in which
     * ranks say that they are stuck.
     */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws Exception {
            Program program = Program.ofClassPath(System.getProperty("java.class.path"), "example.ranks.RankProgram");
            Launcher launcher = new Launcher(RANKS, program)
                    .graceSeconds(1)
                    .arguments(List.of("shout", args[1]))
                    .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            if (Boolean.parseBoolean(args[0])) {
                launcher.output(RankOutput.prefixed(System.out, System.err));
            }
            JvmExit.with(launcher.start().waitFor().status());
        }
    }

    @AfterEach
    void endAll() throws Exception {
        group.endAll();
    }

    @ParameterizedTest
    @ValueSource(booleans = true)
    @MoreWithAll("false")
    void aJobEndsAfterTheGraceThoughNobodyReadsWhatItPrints(boolean prefix) throws Exception {
        Process launcher = new ProcessBuilder(
                        "setsid",
                        JavaHome.current().command(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        Boolean.toString(prefix),
                        stalled.toString())
                .redirectErrorStream(true)
                .start();
        group = new ProcessGroup(launcher);
        for (int rank = 0; rank < RANKS; rank++) {
            while (!Files.exists(stalled.resolve(Integer.toString(rank)))) {
                assertTrue(launcher.isAlive(), "the launcher has ended");
                Thread.sleep(20);
            }
        }
        launcher.descendants().findFirst().orElseThrow().destroyForcibly();
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), "the launcher lives on");
        assertEquals(137, launcher.exitValue());
        assertEquals(List.of(), group.members());
    }
}
