package org.sluice.cli.vm;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Where the output of guests goes. */
public interface GuestOutput {
    /** Takes one stream of one guest. */
    interface Sink {
        void write(byte[] bytes, int offset, int length);

        /** Nothing more comes. */
        default void end() {}
    }

    /** Called by one thread for each stream of each node. */
    Sink sink(int node, boolean error);

    /** As it comes, for one guest. */
    static GuestOutput plain(PrintStream out, PrintStream err) {
        return (node, error) -> {
            PrintStream to = error ? err : out;
            return (bytes, offset, length) -> {
                to.write(bytes, offset, length);
                to.flush();
            };
        };
    }

    /** Each line behind its node, "[1] "; what has no line feed at the end gets one. */
    static GuestOutput prefixed(PrintStream out, PrintStream err) {
        return (node, error) -> new Lines("[" + node + "] ", error ? err : out);
    }

    /** Puts a prefix before each line, and hands on whole lines only, so that those of different nodes don't mix. */
    final class Lines implements Sink {
        private final byte[] prefix;
        private final PrintStream to;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        Lines(String prefix, PrintStream to) {
            this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
            this.to = to;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                if (line.size() == 0) {
                    line.writeBytes(prefix);
                }
                line.write(bytes[i]);
                if (bytes[i] == '\n') {
                    print();
                }
            }
        }

        @Override
        public void end() {
            if (line.size() > 0) {
                line.write('\n');
                print();
            }
        }

        private void print() {
            to.write(line.toByteArray(), 0, line.size());
            to.flush();
            line.reset();
        }
    }
}
