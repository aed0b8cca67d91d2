package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(60)
final class LinePumpTest {
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final RankOutput prefixed = RankOutput.prefixed(new PrintStream(screen, true), System.err);
    private final RankOutput.Text first = prefixed.of(0, 1, false);
    private final RankOutput.Text second = prefixed.of(1, 2, false);

    @Test
    void aLineThatStandsStillIsHandedOnAsFarAsItHasCome() throws Exception {
        PipedInputStream in = new PipedInputStream();
        List<String> taken = new CopyOnWriteArrayList<>();
        try (OutputStream out = new PipedOutputStream(in)) {
            LinePump pump = LinePump.start(
                    "pump",
                    in,
                    (bytes, ends) -> taken.add(new String(bytes, StandardCharsets.UTF_8) + (ends ? "." : "_")));
            print(out, "whole\nyour name? ");
            await(taken, 2);
            print(out, "hello\n");
            await(taken, 3);
            print(out, "rest");
            await(taken, 4);
            out.close();
            while (!pump.join(100)) {
                Thread.onSpinWait();
            }
        }
        assertEquals(List.of("whole.", "your name? _", "hello.", "rest_", "."), taken);
    }

    private static void print(OutputStream out, String text) throws Exception {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void await(List<String> taken, int count) throws InterruptedException {
        while (taken.size() < count) {
            Thread.sleep(5);
        }
    }

    @Test
    void aLineGoesOnWhereItStandsUnlessAnotherRankPrinted() {
        take(first, "name? ", false);
        take(first, "hello", true);
        take(first, "a", false);
        take(second, "other", true);
        take(first, "b", false);
        take(second, "c", false);
        take(first, "", true);
        take(second, "", true);
        take(first, "", true);
        assertEquals(
                "[0] name? hello\n[0] a\n[1-2] other\n[0] b\n[1-2] c\n[0] \n", screen.toString(StandardCharsets.UTF_8));
    }

    @Test
    void captureTakesWholeLines() {
        List<String> lines = new CopyOnWriteArrayList<>();
        RankOutput.Text text =
                RankOutput.captured((rank, error, line) -> lines.add(line)).of(0, 1, false);
        take(text, "name? ", false);
        take(text, "hello", true);
        take(text, "", true);
        assertEquals(List.of("name? hello", ""), lines);
    }

    private static void take(RankOutput.Text text, String piece, boolean endsLine) {
        text.take(piece.getBytes(StandardCharsets.UTF_8), endsLine);
    }
}
