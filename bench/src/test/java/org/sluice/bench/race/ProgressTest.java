package org.sluice.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a user sees of a race while it runs, on a terminal and in a file. */
@Tag("once")
final class ProgressTest {
    private static final int WIDTH = 78;
    private static final String EMPTY = "\r" + " ".repeat(WIDTH) + "\r";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Progress progress(boolean terminal) {
        return new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
    }

    private String said() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String line(String text) {
        return "\r" + text + " ".repeat(WIDTH - text.length());
    }

    @Test
    void onATerminalOneLineChangesAndIsGoneAtTheEnd() {
        Progress progress = progress(true);
        progress.say("starting sluice");
        progress.say("round 1");
        assertEquals(line("starting sluice") + line("round 1"), said());
        progress.done();
        assertEquals(line("starting sluice") + line("round 1") + EMPTY, said());
    }

    @Test
    void aLineIsNeverWiderThanWhatIsCleared() {
        progress(true).say("x".repeat(WIDTH + 50));
        assertEquals("\r" + "x".repeat(WIDTH), said());
    }

    @Test
    void aWarningStandsAloneOnItsLine() {
        Progress progress = progress(true);
        progress.say("round 1");
        progress.warn("openmpi did not start");
        assertEquals(line("round 1") + EMPTY + "openmpi did not start" + System.lineSeparator(), said());
    }

    @Test
    void withoutATerminalThereAreWarningsAlone() {
        Progress progress = progress(false);
        progress.say("round 1");
        progress.warn("openmpi did not start");
        progress.say("round 2");
        progress.done();
        assertEquals("openmpi did not start" + System.lineSeparator(), said());
    }

    @Test
    void oneThatIsMutedWarnsNoMore() {
        Progress progress = progress(false);
        progress.mute();
        progress.warn("sluice failed");
        assertFalse(said().contains("sluice failed"), said());
    }
}
