package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.user.OtherUser;

/** What the scripts make that nobody else may know. */
@Tag("once")
final class ScriptSecretsProcessTest {
    @TempDir
    private Path tools;

    private void program(String name, String text) throws IOException {
        Path program = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertTrue(program.toFile().setExecutable(true));
    }

    /**
     * At the moment after the key is written: the script gives it to munge's user by chown, which here is the stranger
     * himself looking.
     */
    @Test
    void noStrangerEverReadsMungesKey() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        Path seen = Files.createFile(tools.resolve("seen"));
        program("install", "for last; do :; done; mkdir -m 755 \"$last\"");
        program(
                "chown",
                "stat -c %a \"$2\" >" + seen + "; setpriv --reuid=" + stranger.name() + " --regid=" + stranger.name()
                        + " --clear-groups cat \"$2\" >>" + seen + " && echo read >>" + seen + "; exit 1");
        ProcessBuilder builder =
                new ProcessBuilder("bash", System.getProperty("sluice.root") + "/tools/slurm.sh", "true");
        builder.environment().put("PATH", tools + ":" + builder.environment().get("PATH"));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv here");
        // As wide as it can be.
        builder.command().addAll(0, List.of("sh", "-c", "umask 000; exec \"$@\"", "sh"));
        Process script = builder.redirectErrorStream(true)
                .redirectOutput(tools.resolve("output").toFile())
                .start();
        assertTrue(script.waitFor(60, TimeUnit.SECONDS), "the script goes on though chown failed");
        assertEquals("600\n", Files.readString(seen), () -> "mode of the key, and what a stranger read");
    }
}
