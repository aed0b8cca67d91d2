package org.sluice.bench.across;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
            try (Socket socket = new Socket(InetAddress.getByName(place[0]), Integer.parseInt(place[1]))) {
                List<String> command = List.of(words).subList(2, words.length);
                Map<String, String> variables = new TreeMap<>(System.getenv());
                return run(socket, new Request(lines.get(0), command, variables), in, out, err);
            }
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            err.println("node " + words[1] + ": " + e);
            return NO_WAY;
        }
    }

    /** @param command empty where the connection itself is what is wanted */
    record Request(String secret, List<String> command, Map<String, String> variables) {
        void send(DataOutputStream out) throws IOException {
            out.writeUTF(secret);
            out.writeUTF(Path.of("").toAbsolutePath().toString());
            Parts.words(out, command);
            Parts.variables(out, variables);
            out.flush();
        }
    }

    private static int run(Socket socket, Request request, InputStream in, PrintStream out, PrintStream err)
            throws IOException {
        socket.setTcpNoDelay(true);
        DataOutputStream to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        request.send(to);
        Thread input = new Thread(
                () -> {
                    try {
                        Parts.copy(in, to, Parts.STREAM);
                    } catch (IOException e) {
                        // The command has ended, and so does this process.
                    }
                },
                "across-input");
        input.setDaemon(true);
        input.start();
        DataInputStream from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        try {
            while (true) {
                int kind = from.readByte();
                byte[] bytes = Parts.read(from);
                if (kind == Parts.END) {
                    return ByteBuffer.wrap(bytes).getInt();
                }
                PrintStream stream = kind == Parts.ERROR ? err : out;
                stream.write(bytes);
                stream.flush();
            }
        } catch (EOFException e) {
            throw new IOException("it has gone, or knows another secret", e);
        }
    }
}
