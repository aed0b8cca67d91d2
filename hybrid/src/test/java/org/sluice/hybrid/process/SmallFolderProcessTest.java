package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.option.Option;

/** A folder for segments that is too small, full, or becomes full: an error with the sizes, never SIGBUS. */
@Timeout(60)
final class SmallFolderProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final Pattern SIZES = Pattern.compile("needs (\\d+) bytes .* (\\d+) are free");

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void aFolderThatIsTooSmallIsRefusedWithTheSizes(String os) throws Exception {
        try (SmallFolder folder = SmallFolder.mount("64k")) {
            expectNoMemory(folder, os, List.of());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void aFolderThatIsFullIsRefusedWithTheSizes(String os) throws Exception {
        try (SmallFolder folder = SmallFolder.mount("64m")) {
            Files.write(folder.path().resolve("somebody-elses"), new byte[(64 << 20) - (32 << 10)]);
            expectNoMemory(folder, os, List.of(folder.path().resolve("somebody-elses")));
        }
    }

    /** Either rank may be the first to find no room; the other is told that this one is gone. */
    private void expectNoMemory(SmallFolder folder, String os, List<?> left) throws Exception {
        ranks.option(Option.SHM_DIR, folder.path()).option(Option.OS, os).startAll(2, OpeningRanks.class);
        String output = "";
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(3, ranks.rank(rank).exit(PATIENCE_MS), ranks.rank(rank).output());
            output += ranks.rank(rank).output() + "\n";
        }
        assertTrue(output.contains("failed NO_MEMORY"), output);
        Matcher sizes = SIZES.matcher(output);
        assertTrue(sizes.find(), output);
        assertTrue(Long.parseLong(sizes.group(1)) > Long.parseLong(sizes.group(2)), output);
        assertEquals(left, folder.files());
    }

    /** Message buffers beyond what there is: allocate says so, and the device goes on with what it has. */
    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void anArenaThatCannotGrowLeavesTheDeviceAlive(String os) throws Exception {
        try (SmallFolder folder = SmallFolder.mount("24m")) {
            ranks.option(Option.SHM_DIR, folder.path()).option(Option.OS, os).option(Option.SHM_ARENA_STEP, "1m");
            ranks.startAll(2, GrowingRanks.class);
            for (int rank = 0; rank < 2; rank++) {
                String failure = ranks.rank(rank).await("allocate failed", PATIENCE_MS);
                assertTrue(failure.startsWith("NO_MEMORY"), failure);
                System.out.println("os " + os + ": " + failure);
            }
            ranks.allEndWell(PATIENCE_MS);
            assertEquals(List.of(), folder.files());
        }
    }
}
