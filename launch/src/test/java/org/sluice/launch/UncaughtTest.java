package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of an exception that ends a rank. */
final class UncaughtTest {
    /** What was printed, piece by piece. */
    private static final class Pieces extends PrintStream {
        private final List<String> pieces = new ArrayList<>();

        Pieces() {
            super(PrintStream.nullOutputStream());
        }

        @Override
        public void print(String text) {
            pieces.add(text);
        }

        @Override
        public void println(Object text) {
            pieces.add(text + "\n");
        }
    }

    private static StackTraceElement frame(String name) {
        return new StackTraceElement(name, "call", "File.java", 7);
    }

    private static IllegalStateException failure(String... callers) {
        IllegalStateException failure = new IllegalStateException("planned");
        StackTraceElement[] frames = new StackTraceElement[callers.length];
        for (int i = 0; i < callers.length; i++) {
            frames[i] = frame(callers[i]);
        }
        failure.setStackTrace(frames);
        return failure;
    }

    /** Ranks that fail together write to the same terminal, and only what is printed at once stays together. */
    @Test
    void theRankAndTheWholeTraceGoOutAtOnce() {
        PrintStream before = System.err;
        Pieces pieces = new Pieces();
        System.setErr(pieces);
        try {
            Uncaught.inRank(3, failure("my.Program", "org.sluice.launch.RankMain", "java.lang.Thread"));
        } finally {
            System.setErr(before);
        }
        assertEquals(
                List.of("Exception in rank 3 java.lang.IllegalStateException: planned\n"
                        + "\tat my.Program.call(File.java:7)\n"),
                pieces.pieces);
    }

    @Test
    void framesOfTheProgramsOwnStayWhateverTheirNames() {
        String all = Uncaught.text("rank 0", failure("picocli.CommandLine", "my.Program", "java.lang.Thread"));
        assertEquals(
                "Exception in rank 0 java.lang.IllegalStateException: planned\n"
                        + "\tat picocli.CommandLine.call(File.java:7)\n"
                        + "\tat my.Program.call(File.java:7)\n"
                        + "\tat java.base/java.lang.Thread.call(File.java:7)\n",
                all.replace("at java.lang.Thread", "at java.base/java.lang.Thread"));
    }

    @Test
    void suppressedOnesAndCausesLoseTheCallersToo() {
        IllegalStateException failure = failure("my.Program", "picocli.CommandLine");
        failure.addSuppressed(failure("my.Other", "my.Program", "picocli.CommandLine"));
        assertEquals(
                "Exception in rank 0 java.lang.IllegalStateException: planned\n"
                        + "\tat my.Program.call(File.java:7)\n"
                        + "\tSuppressed: java.lang.IllegalStateException: planned\n"
                        + "\t\tat my.Other.call(File.java:7)\n"
                        + "\t\t... 1 more\n",
                Uncaught.text("rank 0", failure));
    }
}
