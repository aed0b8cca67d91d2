package org.sluice.bench.across;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A command on another node, as ssh would run it: started with a file of {@link AcrossNodes#shellFile}, the node's
 * number and the command, of which it has input, output and exit status.
 */
public final class NodeShell {
    /** As of ssh. */
    private static final int NO_WAY = 255;

    private static final int LEAST_WORDS = 3;

    private NodeShell() {}

    public static void main(String[] words) {
        System.exit(run(words, System.in, System.out, System.err));
    }

    static int run(String[] words, InputStream in, PrintStream out, PrintStream err) {
        if (words.length < LEAST_WORDS) {
            err.println("FILE NODE COMMAND... are expected; ./sluice bench --across starts this");
            return NO_WAY;
        }
        try {
            List<String> lines = Files.readAllLines(Path.of(words[0]));
            String[] place = lines.get(Integer.parseInt(words[1])).split(" ");
            InetSocketAddress address = new InetSocketAddress(place[0], Integer.parseInt(place[1]));
            try (Way way = Way.to(address, lines.get(0))) {
                Request request = new Request(
                        Path.of("").toAbsolutePath().toString(),
                        List.of(words).subList(2, words.length),
                        JobVariables.ofRace(System.getenv()));
                return run(way, request, in, out, err);
            }
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            err.println("node " + words[1] + ": " + e.getMessage());
            return NO_WAY;
        }
    }

    private static int run(Way way, Request request, InputStream in, PrintStream out, PrintStream err)
            throws IOException {
        byte[] bytes = request.encode();
        way.write(Way.REQUEST, bytes, bytes.length);
        way.awaitLong();
        Thread input = new Thread(
                () -> {
                    try {
                        way.copy(in, Way.STREAM);
                    } catch (IOException e) {
                        // The command has ended, and so does this process.
                    }
                },
                "across-input");
        input.setDaemon(true);
        input.start();
        try {
            while (true) {
                Way.Part part = way.read();
                if (part.kind() == Way.END) {
                    return ByteBuffer.wrap(part.bytes()).getInt();
                }
                PrintStream stream = part.kind() == Way.ERROR ? err : out;
                stream.write(part.bytes());
                stream.flush();
            }
        } catch (EOFException e) {
            throw new IOException("it has gone, or knows another secret", e);
        }
    }
}
