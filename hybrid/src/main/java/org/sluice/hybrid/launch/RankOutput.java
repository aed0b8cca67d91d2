package org.sluice.hybrid.launch;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * What becomes of what ranks print. Ranks that are threads of one JVM share its streams: their lines carry all their
 * numbers.
 */
public interface RankOutput {
    /** Takes whole lines, without line feed; called by one thread for each stream of each JVM. */
    interface Lines {
        void line(int firstRank, boolean error, String line);
    }

    /** Ranks write straight to the launcher's own streams. */
    static RankOutput inherit() {
        return new RankOutput() {
            @Override
            public boolean inherits() {
                return true;
            }

            @Override
            public Consumer<byte[]> lines(int firstRank, int jvmRanks, boolean error) {
                throw new IllegalStateException("inherited output is not seen by the launcher");
            }
        };
    }

    /** Each line goes to the launcher's streams behind "[3] ", or "[4-7] " for a JVM with several ranks. */
    static RankOutput prefixed(PrintStream out, PrintStream err) {
        return (firstRank, jvmRanks, error) -> {
            String ranks = jvmRanks == 1 ? "[" + firstRank + "] " : "[" + firstRank + "-" + (firstRank + jvmRanks - 1)
                    + "] ";
            byte[] prefix = ranks.getBytes(StandardCharsets.UTF_8);
            PrintStream to = error ? err : out;
            return line -> {
                ByteArrayOutputStream whole = new ByteArrayOutputStream(prefix.length + line.length + 1);
                whole.writeBytes(prefix);
                whole.writeBytes(line);
                whole.write('\n');
                to.write(whole.toByteArray(), 0, whole.size());
                to.flush();
            };
        };
    }

    /** Each line goes to the consumer, read as UTF-8. */
    static RankOutput captured(Lines consumer) {
        return (firstRank, jvmRanks, error) -> line -> consumer.line(firstRank, error,
                new String(line, StandardCharsets.UTF_8));
    }

    default boolean inherits() {
        return false;
    }

    /** Where the lines of one stream of one JVM go. */
    Consumer<byte[]> lines(int firstRank, int jvmRanks, boolean error);
}
