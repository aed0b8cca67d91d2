package org.sluice.bench.across;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What another node is asked to run.
 *
 * @param folder that it runs in, if there is such a folder
 * @param command empty where the connection itself is what is wanted
 * @param variables beside that node's own
 */
record Request(String folder, List<String> command, Map<String, String> variables) {
    private static final int MOST_WORDS = 1 << 16;

    byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        List<String> pairs = new ArrayList<>();
        variables.forEach((name, value) -> {
            pairs.add(name);
            pairs.add(value);
        });
        words(out, List.of(folder));
        words(out, command);
        words(out, pairs);
        return bytes.toByteArray();
    }

    static Request decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String folder = words(in).get(0);
        List<String> command = words(in);
        List<String> pairs = words(in);
        Map<String, String> variables = new TreeMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            variables.put(pairs.get(i), pairs.get(i + 1));
        }
        return new Request(folder, command, variables);
    }

    private static void words(DataOutputStream out, List<String> words) throws IOException {
        out.writeInt(words.size());
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    private static List<String> words(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_WORDS) {
            throw new IOException(count + " words came; at most " + MOST_WORDS + " are allowed");
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException("a word of " + length + " bytes came, with " + in.available() + " behind it");
            }
            words.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        }
        return words;
    }
}
