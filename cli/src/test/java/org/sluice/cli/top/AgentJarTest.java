package org.sluice.cli.top;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that a rank loads is in no folder where another user could put one of his. */
final class AgentJarTest {
    @Test
    void nothingIsLoadedFromAFolderThatOthersMayWrite(@TempDir Path folder) throws Exception {
        assumeTrue(
                System.getenv("XDG_CACHE_HOME") == null && System.getProperty("sluice.home") == null,
                "the jar is made elsewhere");
        Files.setAttribute(folder, "unix:mode", 0755);
        Path cache = Files.createDirectories(folder.resolve(".cache/sluice"));
        Files.setAttribute(cache, "unix:mode", 0777);
        String home = System.setProperty("user.home", folder.toString());
        try {
            IOException refused = assertThrows(IOException.class, AgentJar::make);
            assertTrue(refused.getMessage().contains("may be written by other users"), refused.getMessage());
        } finally {
            System.setProperty("user.home", home);
        }
    }
}
