package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.RankMain;

/**
 * What a new process must not load while it opens, nor, of lambdas, while it closes, as it takes longer than all the
 * rest: docs/project/adr/0008-fast-open.md.
 */
@Timeout(90)
final class OpenClassesProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final String PMIX = "org.sluice.jni.pmix.";
    /** The program's first class after open. */
    private static final String OPENED = " " + Say.class.getName() + " ";

    /** What runs when a device closes; where a machine is slow, others look meanwhile at who waits. */
    private static final List<String> CLOSES = List.of(
            "org.sluice.hybrid.device.DeviceClosing",
            "org.sluice.hybrid.persistent.PersistentRoutes",
            "org.sluice.hybrid.rendezvous.RendezvousReceiver",
            "org.sluice.hybrid.operation.UnheardSends",
            "org.sluice.hybrid.route.",
            "org.sluice.shm.");

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void openingNeedsNoLambdasServicesSecurityProvidersManagementFlightRecorderKotlinOrPmix(@TempDir Path folder)
            throws Exception {
        ranks.flag("-Xlog:class+load:file=" + folder.resolve("classes-%p") + ":none");
        ranks.job(2);
        for (int rank = 0; rank < 2; rank++) {
            // As ./sluice run does: the connection to the launcher, and what the JDK loads for the first, come before
            // the program.
            ranks.start(rank, RankMain.class.getName(), OpeningRanks.class.getName());
        }
        ranks.allEndWell(PATIENCE_MS);
        int logs = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                logs++;
                assertEquals(List.of(), forbidden(file));
            }
        }
        assertEquals(2, logs);
    }

    /** Not even to find out that there is none: the class loads a library that is linked to the launcher's. */
    @Test
    void aProcessOfNoLauncherLoadsNothingOfPmix(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("classes");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log + ":none",
                "-cp",
                System.getProperty("java.class.path"),
                OpeningRanks.class.getName());
        builder.environment().keySet().removeIf(name -> name.startsWith("PMIX_"));
        Path output = folder.resolve("output");
        Process alone = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(alone.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS), () -> "it is not over: " + alone);
        } finally {
            alone.destroyForcibly();
        }
        assertEquals(0, alone.exitValue(), Files.readString(output));
        List<String> lines = Files.readAllLines(log);
        assertTrue(
                lines.stream().anyMatch(line -> line.startsWith("org.sluice.device.DeviceProvider ")),
                "the log has the classes of an opening");
        lines.removeIf(line -> !line.startsWith(PMIX));
        assertEquals(List.of(), lines);
    }

    private static List<String> forbidden(Path log) throws IOException {
        List<String> found = new ArrayList<>();
        boolean opening = false;
        boolean opened = false;
        for (String line : Files.readAllLines(log)) {
            String name = " " + line + " ";
            if (name.contains(OPENED)) {
                assertTrue(opening, "the device's classes came after those of the program's next step");
                opened = true;
            }
            boolean ourLambda = line.startsWith("org.sluice.") && line.contains("$$Lambda");
            if (opened) {
                if (ourLambda && CLOSES.stream().anyMatch(line::startsWith)) {
                    found.add(line);
                }
                continue;
            }
            opening |= line.startsWith("org.sluice.device.DeviceProvider ");
            boolean machinery =
                    line.startsWith("java.util.ServiceLoader ") || line.startsWith("java.security.SecureRandom ");
            boolean kotlin = line.startsWith("kotlin.")
                    || line.startsWith("kotlinx.")
                    || line.startsWith("org.sluice.coroutines.");
            if (line.startsWith(PMIX) || opening && (ourLambda || machinery || kotlin || isForWatchers(line))) {
                found.add(line);
            }
        }
        assertTrue(opened, log + " ends before " + OPENED);
        return found;
    }

    /** Management and flight recorder, and what of ours uses them. */
    private static boolean isForWatchers(String line) {
        return line.startsWith("javax.management.")
                || line.startsWith("java.lang.management.")
                || line.startsWith("sun.management.")
                || line.startsWith("jdk.jfr.")
                || line.startsWith("org.sluice.hybrid.observe.")
                        && !line.startsWith("org.sluice.hybrid.observe.Observed ")
                        && !line.startsWith("org.sluice.hybrid.observe.Recording ");
    }
}
