package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What becomes of what ranks print. Ranks that are threads of one JVM share its streams: their lines carry all their
 * numbers.
 */
public interface RankOutput {
    /** Takes whole lines, without line feed; called by one thread for each stream of each JVM. */
    interface Lines {
        void line(int firstRank, boolean error, String line);
    }

    /** Takes one stream of one JVM, on one thread, which may block: then that JVM prints no more. */
    interface Text {
        /**
         * @param bytes of one line, without line feed
         * @param endsLine false where more of the line may follow
         */
        void take(byte[] bytes, boolean endsLine);
    }

    /** Ranks write straight to the launcher's own streams. */
    static RankOutput inherit() {
        return new RankOutput() {
            @Override
            public boolean inherits() {
                return true;
            }

            @Override
            public Text of(int firstRank, int jvmRanks, boolean error) {
                throw new IllegalStateException("inherited output is not seen by the launcher");
            }
        };
    }

    /** Byte by byte to the launcher's own streams, of ranks on another machine. */
    static RankOutput toOwnStreams() {
        return new RankOutput() {
            @Override
            public boolean takesPieces() {
                return true;
            }

            @Override
            public Text of(int firstRank, int jvmRanks, boolean error) {
                PrintStream to = error ? System.err : System.out;
                return (bytes, endsLine) -> {
                    to.write(bytes, 0, bytes.length);
                    to.flush();
                };
            }
        };
    }

    /**
     * Each line goes to the launcher's streams behind "[3] ", or "[4-7] " for a JVM with several ranks.
     *
     * @param err where both end at one place, as on a terminal, give the same stream twice: a line of one then never
     *     goes on behind that of the other
     */
    static RankOutput prefixed(PrintStream out, PrintStream err) {
        PrefixedLines lines = new PrefixedLines(out);
        PrefixedLines errors = err == out ? lines : new PrefixedLines(err);
        return (firstRank, jvmRanks, error) -> (error ? errors : lines)
                .of(jvmRanks == 1 ? "[" + firstRank + "] " : "[" + firstRank + "-" + (firstRank + jvmRanks - 1) + "] ");
    }

    /** Each line goes to the consumer, read as UTF-8. */
    static RankOutput captured(Lines consumer) {
        return (firstRank, jvmRanks, error) -> {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            return (bytes, endsLine) -> {
                line.writeBytes(bytes);
                if (endsLine) {
                    consumer.line(firstRank, error, line.toString(StandardCharsets.UTF_8));
                    line.reset();
                }
            };
        };
    }

    default boolean inherits() {
        return false;
    }

    /** Whether it takes bytes as they come, instead of lines. */
    default boolean takesPieces() {
        return false;
    }

    /** Where one stream of one JVM goes. */
    Text of(int firstRank, int jvmRanks, boolean error);
}
