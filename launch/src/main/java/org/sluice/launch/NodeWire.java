package org.sluice.launch;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the launcher and its {@link NodeAgent} on another machine say to each other, over the agent's standard input and
 * output.
 *
 * <pre>
 *   the agent            MAGIC, version, host name
 *   the launcher  COPY   name of a file of the program, bytes, again and again; none: its end
 *                 COPIED all files were sent
 *   the agent     COPIED the folder in which they are, why some aren't
 *   the launcher  MEET   port, addresses, secret, paths, home of the ranks' Java
 *   the agent     MET    address or nothing, why not, the first path that isn't there, version of that Java
 *   the launcher  START  first rank, whether it reads, folder, words, variables
 *                 INPUT  first rank, bytes; none: its end
 *                 TAKEN  first rank, whether of its errors, how many bytes of output were read
 *                 TERMINATE, KILL  first rank
 *   the agent     STARTED      first rank, process number
 *                 NOT_STARTED  first rank, why
 *                 OUT, ERR     first rank, bytes; none: its end
 *                 ENDED        first rank, status
 *                 INPUT_TAKEN  first rank, how many bytes of input were read
 * </pre>
 *
 * <p>Of each stream no more than {@link #WINDOW_BYTES} are on the way that its reader hasn't taken. So who reads from
 * the connection never waits for a stream, and what is said of one JVM gets past the output of another.
 */
final class NodeWire {
    /** In front of which a login may have printed what it likes. */
    static final byte[] MAGIC = "\0sluice-node-1\n".getBytes(StandardCharsets.US_ASCII);

    static final byte MEET = 1;
    static final byte MET = 2;
    static final byte START = 3;
    static final byte INPUT = 4;
    static final byte TERMINATE = 5;
    static final byte KILL = 6;
    static final byte STARTED = 7;
    static final byte NOT_STARTED = 8;
    static final byte OUT = 9;
    static final byte ERR = 10;
    static final byte ENDED = 11;
    static final byte TAKEN = 12;
    static final byte INPUT_TAKEN = 13;
    static final byte COPY = 14;
    static final byte COPIED = 15;

    static final int CHUNK_BYTES = 8192;
    /** As much as a pipe holds. */
    static final int WINDOW_BYTES = 64 << 10;

    private static final int LONGEST_BYTES = 64 << 20;
    private static final int MOST = 1 << 20;
    private static final int MOST_NOISE_BYTES = 1 << 20;

    private NodeWire() {}

    /** Passes over what is in front of {@link #MAGIC}. */
    static void awaitMagic(InputStream in) throws IOException {
        int matched = 0;
        for (int passed = 0; matched < MAGIC.length; passed++) {
            int next = in.read();
            if (next < 0 || passed > MOST_NOISE_BYTES) {
                throw new EOFException("no launcher of Sluice answers there");
            }
            matched = next == MAGIC[matched] ? matched + 1 : next == MAGIC[0] ? 1 : 0;
        }
    }

    static void text(DataOutputStream out, String text) throws IOException {
        bytes(out, text.getBytes(StandardCharsets.UTF_8), 0, -1);
    }

    static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    /** @param length -1 for all */
    static void bytes(DataOutputStream out, byte[] bytes, int from, int length) throws IOException {
        int count = length < 0 ? bytes.length : length;
        out.writeInt(count);
        out.write(bytes, from, count);
    }

    static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[count(in, LONGEST_BYTES)];
        in.readFully(bytes);
        return bytes;
    }

    private static int count(DataInputStream in, int most) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > most) {
            throw new IOException("a length of " + count + ", where " + most + " is the most");
        }
        return count;
    }

    static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String each : texts) {
            text(out, each);
        }
    }

    static List<String> texts(DataInputStream in) throws IOException {
        int count = count(in, MOST);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(in));
        }
        return texts;
    }

    static void pairs(DataOutputStream out, Map<String, String> pairs) throws IOException {
        out.writeInt(pairs.size());
        for (Map.Entry<String, String> each : pairs.entrySet()) {
            text(out, each.getKey());
            text(out, each.getValue());
        }
    }

    static Map<String, String> pairs(DataInputStream in) throws IOException {
        int count = count(in, MOST);
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            pairs.put(text(in), text(in));
        }
        return pairs;
    }
}
