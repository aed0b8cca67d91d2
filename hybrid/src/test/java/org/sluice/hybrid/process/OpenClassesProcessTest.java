package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a new process must not load while it opens, as it takes longer than all the rest: docs/adr/0008-fast-open.md. */
@Timeout(90)
final class OpenClassesProcessTest {
    private static final long PATIENCE_MS = 20_000;
    /** The program's first class after open. */
    private static final String OPENED = " " + Say.class.getName() + " ";

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void openingNeedsNoLambdasServicesSecurityProvidersManagementFlightRecorderOrKotlin(@TempDir Path folder) throws Exception {
        ranks.flag("-Xlog:class+load:file=" + folder.resolve("classes-%p") + ":none");
        ranks.startAll(2, OpeningRanks.class);
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

    private static List<String> forbidden(Path log) throws IOException {
        List<String> found = new ArrayList<>();
        boolean opening = false;
        for (String line : Files.readAllLines(log)) {
            String name = " " + line + " ";
            if (name.contains(OPENED)) {
                assertTrue(opening, "the device's classes came after those of the program's next step");
                return found;
            }
            opening |= line.startsWith("org.sluice.device.DeviceProvider ");
            boolean ourLambda = line.startsWith("org.sluice.") && line.contains("$$Lambda");
            boolean machinery = line.startsWith("java.util.ServiceLoader ")
                    || line.startsWith("java.security.SecureRandom ");
            boolean kotlin = line.startsWith("kotlin.") || line.startsWith("kotlinx.") || line.startsWith("org.sluice.hybrid.coroutines.");
            if (opening && (ourLambda || machinery || kotlin || isForWatchers(line))) {
                found.add(line);
            }
        }
        throw new AssertionError(log + " ends before " + OPENED);
    }

    /** Management and flight recorder, and what of ours uses them. */
    private static boolean isForWatchers(String line) {
        return line.startsWith("javax.management.") || line.startsWith("java.lang.management.") || line.startsWith("sun.management.")
                || line.startsWith("jdk.jfr.") || line.startsWith("org.sluice.hybrid.observe.") && !line.startsWith("org.sluice.hybrid.observe.Observed ")
                && !line.startsWith("org.sluice.hybrid.observe.Recording ");
    }
}
