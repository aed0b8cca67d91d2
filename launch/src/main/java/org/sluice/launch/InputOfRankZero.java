package org.sluice.launch;

import java.io.IOException;
import java.io.InputStream;

/**
 * Standard input of a JVM that holds several ranks: rank 0 reads it, and so do threads that belong to none; the others
 * find it at its end. <i>Thread</i>: any. <i>Proof</i>: {@code InputOfRankZeroTest}.
 */
final class InputOfRankZero extends InputStream {
    private static final int END = -1;

    private final InputStream in;

    InputOfRankZero(InputStream in) {
        this.in = in;
    }

    private static boolean isAnothers() {
        return RankOfCaller.find().orElse(0) != 0;
    }

    @Override
    public int read() throws IOException {
        return isAnothers() ? END : in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return isAnothers() ? END : in.read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return isAnothers() ? 0 : in.available();
    }

    /** A rank that has nothing to read doesn't close it for the one that has. */
    @Override
    public void close() throws IOException {
        if (!isAnothers()) {
            in.close();
        }
    }
}
