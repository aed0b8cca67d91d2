package org.sluice.bench.across;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How a command, and what it reads and writes, goes between two nodes. */
final class Parts {
    /** To the command, or what it writes; of no bytes: there is no more. */
    static final int STREAM = 0;

    static final int ERROR = 1;
    /** With the exit status, as four bytes. */
    static final int END = 2;

    static final int CHUNK_BYTES = 1 << 16;
    private static final int MOST_WORDS = 1 << 16;

    private Parts() {}

    /** A whole part, whoever else writes parts. */
    static void write(DataOutputStream out, int kind, byte[] bytes, int count) throws IOException {
        synchronized (out) {
            out.writeByte(kind);
            out.writeInt(count);
            out.write(bytes, 0, count);
            out.flush();
        }
    }

    /** All that a stream has, and its end. */
    static void copy(InputStream in, DataOutputStream out, int kind) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int got = in.read(chunk); got > 0; got = in.read(chunk)) {
            write(out, kind, chunk, got);
        }
        write(out, kind, chunk, 0);
    }

    /** The bytes of a part, of which the kind was read. */
    static byte[] read(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > CHUNK_BYTES) {
            throw new IOException("a part of " + count + " bytes came, 0 to " + CHUNK_BYTES + " are allowed");
        }
        byte[] bytes = new byte[count];
        in.readFully(bytes);
        return bytes;
    }

    static void words(DataOutputStream out, List<String> words) throws IOException {
        out.writeInt(words.size());
        for (String word : words) {
            out.writeUTF(word);
        }
    }

    static List<String> words(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_WORDS) {
            throw new IOException(count + " words came, 0 to " + MOST_WORDS + " are allowed");
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(in.readUTF());
        }
        return words;
    }

    static void variables(DataOutputStream out, Map<String, String> variables) throws IOException {
        List<String> words = new ArrayList<>();
        variables.forEach((name, value) -> {
            words.add(name);
            words.add(value);
        });
        words(out, words);
    }

    static Map<String, String> variables(DataInputStream in) throws IOException {
        List<String> words = words(in);
        Map<String, String> variables = new TreeMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            variables.put(words.get(i), words.get(i + 1));
        }
        return variables;
    }
}
