package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Lines of several ranks on one stream, each behind the prefix of its rank. A line that is begun and not ended goes on
 * where it stands, unless another rank has printed since: then its rest is a line of its own.
 *
 * <p>Thread: one for each of {@link #of}.
 *
 * <p>Proof: {@code LinePumpTest}.
 */
final class PrefixedLines {
    private final PrintStream to;
    /** Whose line has no line feed yet; null where all have. */
    private Source open;

    PrefixedLines(PrintStream to) {
        this.to = to;
    }

    RankOutput.Text of(String prefix) {
        return new Source(prefix.getBytes(StandardCharsets.UTF_8));
    }

    private final class Source implements RankOutput.Text {
        private final byte[] prefix;
        private boolean isBegun;

        private Source(byte[] prefix) {
            this.prefix = prefix;
        }

        @Override
        public void take(byte[] bytes, boolean endsLine) {
            synchronized (PrefixedLines.this) {
                if (bytes.length > 0 || !isBegun || open == this) {
                    print(bytes, endsLine);
                }
                isBegun = !endsLine;
            }
        }

        /** In one piece. */
        private void print(byte[] bytes, boolean endsLine) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream(prefix.length + bytes.length + 2);
            if (open != this) {
                if (open != null) {
                    whole.write('\n');
                }
                whole.writeBytes(prefix);
            }
            whole.writeBytes(bytes);
            if (endsLine) {
                whole.write('\n');
            }
            open = endsLine ? null : this;
            to.write(whole.toByteArray(), 0, whole.size());
            to.flush();
        }
    }
}
