package org.sluice.cli.vm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ends a guest's stream of output within a channel that stays open. What comes before is handed on as it comes: only
 * bytes with which the mark could begin wait for the next ones.
 */
final class EndMark {
    private static final int CHUNK_BYTES = 1 << 16;

    private final byte[] mark;

    EndMark(String mark) {
        this.mark = mark.getBytes(StandardCharsets.US_ASCII);
    }

    /** One that no output has by chance. */
    static String random() {
        byte[] bytes = new byte[16];
        ThreadLocalRandom.current().nextBytes(bytes);
        return "[sluice-vm-end-" + HexFormat.of().formatHex(bytes) + "]";
    }

    /**
     * Carries output on until the mark, or the end of the stream, has come.
     *
     * @return whether the mark came
     */
    boolean copy(InputStream in, GuestOutput.Sink out) throws IOException {
        byte[] held = new byte[CHUNK_BYTES + mark.length];
        int count = 0;
        for (int got = in.read(held, count, CHUNK_BYTES); got >= 0; got = in.read(held, count, CHUNK_BYTES)) {
            count += got;
            int at = indexOfMark(held, count);
            if (at >= 0) {
                write(out, held, at);
                out.end();
                return true;
            }
            int rest = possibleBeginning(held, count);
            write(out, held, count - rest);
            System.arraycopy(held, count - rest, held, 0, rest);
            count = rest;
        }
        write(out, held, count);
        out.end();
        return false;
    }

    private static void write(GuestOutput.Sink out, byte[] bytes, int length) {
        if (length > 0) {
            out.write(bytes, 0, length);
        }
    }

    private int indexOfMark(byte[] bytes, int count) {
        for (int at = 0; at + mark.length <= count; at++) {
            if (Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length)) {
                return at;
            }
        }
        return -1;
    }

    /** How many of the last bytes may be the mark's first. */
    private int possibleBeginning(byte[] bytes, int count) {
        for (int length = Math.min(mark.length - 1, count); length > 0; length--) {
            if (Arrays.equals(bytes, count - length, count, mark, 0, length)) {
                return length;
            }
        }
        return 0;
    }
}
