package org.sluice.bench.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A socket that carries lines. A thread of its own reads them, so that the end of the other side is seen at once, also
 * while nobody waits for a line.
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the socket and one daemon thread. <i>Fails</i>: {@link IOException} once the
 * other side has ended. <i>Proof</i>: {@code LineSocketTest}.
 */
public final class LineSocket implements AutoCloseable {
    /** Told apart from any line by identity. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    private static final String END = new String("end");

    private final Socket socket;
    private final OutputStream out;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** @param onEnd run by the reading thread when the other side has ended or {@link #close} was called */
    public LineSocket(Socket socket, Runnable onEnd) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        Thread reader = new Thread(() -> read(in, onEnd), "bench-lines");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(BufferedReader in, Runnable onEnd) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // A reset is an end like any other: whoever asks for the next line is told.
        } finally {
            lines.add(END);
            onEnd.run();
        }
    }

    public synchronized void send(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** The next line, or null when none came in time. */
    public String receive(long timeoutMs) throws IOException {
        String line;
        try {
            line = lines.poll(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a line", e);
        }
        return checkEnd(line);
    }

    /** Waits for the next line. */
    public String receive() throws IOException {
        try {
            return checkEnd(lines.take());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a line", e);
        }
    }

    @SuppressWarnings("StringEquality")
    private String checkEnd(String line) throws IOException {
        if (line == END) {
            lines.add(END);
            throw new IOException("the other side has ended");
        }
        return line;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is lost: all lines that matter were answered.
        }
    }
}
