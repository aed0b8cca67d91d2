package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * One message between a rank and its job's server.
 *
 * <pre>
 *   0  int   length of what follows, kind included
 *   4  byte  kind
 *   5  ...   body: big-endian numbers; texts and byte strings are an int length and their bytes; ranks a byte
 *            string with a bit for each, the lowest first
 * </pre>
 */
final class Frame {
    /** Sent by a rank: version, role, (first) rank, how many ranks, size. */
    static final byte HELLO = 1;
    /** Sent by a rank: key, value. */
    static final byte PUT = 2;
    /** Sent by a rank: timeout in milliseconds. */
    static final byte FENCE = 3;
    /** Sent by a rank: nothing. */
    static final byte BYE = 4;
    /** Sent by a rank that closes: the ranks that are to be told so. */
    static final byte CLOSING = 5;
    /** Sent by a rank first where the server is reached over a network: magic, its random bytes. */
    static final byte CHALLENGE = 6;
    /** Sent by a rank that has seen PROOF_OF_LAUNCHER: its own proof. */
    static final byte PROOF_OF_RANK = 7;
    /**
     * Sent by a rank's JVM: the rank whose program has ended, the rank to blame or -1, 1 where that is certain, 1 where
     * it failed, of what.
     */
    static final byte LAST_WORD = 8;
    /** Answers HELLO: the id of the job. */
    static final byte WELCOME = 17;
    /** Answers anything that can't be done, and is the last frame: reason. */
    static final byte REFUSED = 18;
    /** Answers FENCE: count, then rank, key, value of everything put since the last fence. */
    static final byte VALUES = 19;
    /** Answers FENCE: reason. */
    static final byte FENCE_FAILED = 20;
    /** Sent by the server at any time after WELCOME: the rank that died. */
    static final byte DEAD = 21;
    /** Sent by the server at any time after WELCOME: ranks that have said CLOSING to this one. */
    static final byte CLOSED = 22;
    /** Answers CLOSING: they have been told, as far as they were still there. */
    static final byte PASSED_ON = 23;

    /** Answers CHALLENGE: the server's random bytes, its proof. */
    static final byte PROOF_OF_LAUNCHER = 24;
    /** Answers LAST_WORD: nothing. */
    static final byte HEARD = 25;

    static final int MAGIC = 0x534c4333;
    static final int HEADER_BYTES = 4;
    /** A stranger may not make the server keep more than this. */
    static final int HELLO_LIMIT_BYTES = 1024;

    static final int PUT_LIMIT_BYTES = Bootstrap.KEY_LIMIT_BYTES + Bootstrap.VALUE_LIMIT_BYTES + 64;
    static final int VALUES_LIMIT_BYTES = 256 << 20;
    static final int TEXT_LIMIT_BYTES = 1 << 16;

    private Frame() {}

    /** What is wrong with bytes that no Sluice sent. */
    static final class Malformed extends IOException {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    /** Puts a frame together. */
    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Writer(byte kind) {
            number(0);
            flag(kind);
        }

        Writer flag(int value) {
            bytes.write(value);
            return this;
        }

        Writer number(int value) {
            return bigEndian(value, Integer.BYTES);
        }

        Writer longNumber(long value) {
            return bigEndian(value, Long.BYTES);
        }

        Writer text(String value) {
            return bytes(value.getBytes(StandardCharsets.UTF_8));
        }

        Writer bytes(byte[] value) {
            number(value.length);
            bytes.write(value, 0, value.length);
            return this;
        }

        Writer ranks(BitSet value) {
            return bytes(value.toByteArray());
        }

        byte[] finish() {
            byte[] frame = bytes.toByteArray();
            ByteBuffer.wrap(frame).putInt(0, frame.length - HEADER_BYTES);
            return frame;
        }

        private Writer bigEndian(long value, int count) {
            for (int shift = (count - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes.write((int) (value >>> shift));
            }
            return this;
        }
    }

    static byte[] empty(byte kind) {
        return new Writer(kind).finish();
    }

    static int checkedLength(int length, int limitBytes) throws Malformed {
        if (length < 1 || length > limitBytes) {
            throw new Malformed("a frame of " + length + " bytes; 1 to " + limitBytes + " are allowed here");
        }
        return length;
    }

    static byte[] bytes(ByteBuffer frame, int limitBytes) throws Malformed {
        int length = number(frame);
        if (length < 0 || length > limitBytes || length > frame.remaining()) {
            throw new Malformed("a field of " + length + " bytes where at most "
                    + Math.min(limitBytes, frame.remaining()) + " fit");
        }
        byte[] value = new byte[length];
        frame.get(value);
        return value;
    }

    /** A field of just so many bytes. */
    static byte[] exactly(ByteBuffer frame, int bytes) throws Malformed {
        byte[] value = bytes(frame, bytes);
        if (value.length != bytes) {
            throw new Malformed("a field of " + value.length + " bytes where " + bytes + " belong");
        }
        return value;
    }

    static String text(ByteBuffer frame, int limitBytes) throws Malformed {
        byte[] value = bytes(frame, limitBytes);
        String text = new String(value, StandardCharsets.UTF_8);
        // What could not be decoded was replaced, and comes out different.
        if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), value)) {
            throw new Malformed("a text that is no UTF-8");
        }
        return text;
    }

    static BitSet ranks(ByteBuffer frame, int size) throws Malformed {
        BitSet ranks = BitSet.valueOf(bytes(frame, (size + Byte.SIZE - 1) / Byte.SIZE));
        if (ranks.length() > size) {
            throw new Malformed("it spoke of rank " + (ranks.length() - 1) + " in a job of " + size);
        }
        return ranks;
    }

    static byte flag(ByteBuffer frame) throws Malformed {
        need(frame, Byte.BYTES);
        return frame.get();
    }

    static int number(ByteBuffer frame) throws Malformed {
        need(frame, Integer.BYTES);
        return frame.getInt();
    }

    static long longNumber(ByteBuffer frame) throws Malformed {
        need(frame, Long.BYTES);
        return frame.getLong();
    }

    static void end(ByteBuffer frame) throws Malformed {
        if (frame.hasRemaining()) {
            throw new Malformed(frame.remaining() + " bytes too many in a frame");
        }
    }

    private static void need(ByteBuffer frame, int bytes) throws Malformed {
        if (frame.remaining() < bytes) {
            throw new Malformed("a frame that ends too early");
        }
    }
}
