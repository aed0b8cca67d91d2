package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.sluice.bench.wire.LineSocket;

/**
 * The harness's side of the lines to the ranks of one contestant: each connects back with the token and its rank.
 *
 * <p><i>Thread</i>: one at a time. <i>Fails</i>: {@link IOException} when a rank has ended, or did not answer in time.
 */
final class RankConnections implements AutoCloseable {
    private static final int TOKEN_BYTES = 16;
    /** How a rank's answer begins that has failed. */
    private static final String ERROR = "ERR ";

    private static final int POLL_MS = 50;
    private static final int HELLO_MS = 2_000;
    private static final int HELLO_WORDS = 3;

    private final ServerSocket server;
    private final LineSocket[] ranks;
    private final String token;
    private final BooleanSupplier alive;

    /**
     * @param here where the ranks connect to
     * @param alive whether all processes that were started still run
     */
    RankConnections(InetAddress here, int count, BooleanSupplier alive) throws IOException {
        this.alive = alive;
        ranks = new LineSocket[count];
        byte[] secret = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(secret);
        token = HexFormat.of().formatHex(secret);
        server = new ServerSocket();
        server.bind(new InetSocketAddress(here, 0));
        server.setSoTimeout(POLL_MS);
    }

    Map<String, String> environment() {
        return Map.of(
                "BENCH_ADDRESS",
                server.getInetAddress().getHostAddress() + ":" + server.getLocalPort(),
                "BENCH_TOKEN",
                token);
    }

    /** Waits until every rank has connected and said that it is ready. */
    void accept(long timeoutMs) throws IOException {
        long end = System.nanoTime() + timeoutMs * 1_000_000;
        int connected = 0;
        while (connected < ranks.length) {
            if (!alive.getAsBoolean()) {
                throw new IOException("it ended before its ranks had connected");
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        "only " + connected + " of " + ranks.length + " ranks connected within " + timeoutMs + " ms");
            }
            try {
                connected += greet(server.accept());
            } catch (SocketTimeoutException e) {
                // Nobody yet: look again whether the processes live.
            }
        }
        server.close();
        for (int rank = 0; rank < ranks.length; rank++) {
            String line = await(rank, end);
            if (!line.equals("READY")) {
                throw new IOException("rank " + rank + " said '" + line + "' where READY was expected");
            }
        }
    }

    /** 1 for a rank of ours, 0 for a stranger, who is sent away. */
    private int greet(Socket socket) throws IOException {
        LineSocket line = new LineSocket(socket, () -> {});
        String[] hello;
        try {
            String words = line.receive(HELLO_MS);
            hello = words == null ? new String[0] : words.split(" ");
        } catch (IOException e) {
            hello = new String[0];
        }
        if (hello.length == HELLO_WORDS && hello[0].equals("HELLO") && hello[1].equals(token)) {
            int rank = Integer.parseInt(hello[2]);
            if (rank >= 0 && rank < ranks.length && ranks[rank] == null) {
                ranks[rank] = line;
                return 1;
            }
        }
        line.close();
        return 0;
    }

    /** Says the line to all ranks and returns what each answers. */
    List<String> ask(String line, long timeoutMs) throws IOException {
        long end = System.nanoTime() + timeoutMs * 1_000_000;
        for (LineSocket rank : ranks) {
            rank.send(line);
        }
        List<String> answers = new ArrayList<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            String answer = await(rank, end);
            if (answer.startsWith(ERROR)) {
                // The others may end of it without an answer.
                throw new IOException("rank " + rank + " said: " + answer.substring(ERROR.length()));
            }
            answers.add(answer);
        }
        return answers;
    }

    private String await(int rank, long end) throws IOException {
        while (true) {
            String answer;
            try {
                answer = ranks[rank].receive(POLL_MS);
            } catch (IOException e) {
                throw new IOException("rank " + rank + " has ended" + lastWords(), e);
            }
            if (answer != null) {
                return answer;
            }
            if (!alive.getAsBoolean()) {
                throw new IOException("a process has ended while rank " + rank + " was to answer" + lastWords());
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException("rank " + rank + " did not answer in time");
            }
        }
    }

    /** What ranks that failed have said before they ended, which is often another rank than the one that is missed. */
    private String lastWords() {
        StringBuilder said = new StringBuilder();
        for (int rank = 0; rank < ranks.length; rank++) {
            try {
                for (String line = ranks[rank].receive(POLL_MS); line != null; line = ranks[rank].receive(POLL_MS)) {
                    if (line.startsWith(ERROR)) {
                        said.append("; rank ").append(rank).append(" said: ").append(line.substring(ERROR.length()));
                    }
                }
            } catch (IOException e) {
                // It has ended, and said no more.
            }
        }
        return said.toString();
    }

    @Override
    public void close() {
        for (LineSocket rank : ranks) {
            if (rank != null) {
                rank.close();
            }
        }
        try {
            server.close();
        } catch (IOException e) {
            // It only listened.
        }
    }
}
