package org.sluice.hybrid.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * Carries one stream of a rank's output on, line by line, so that lines of different ranks don't run into each other.
 *
 * <p>Thread: its own, a daemon.
 * <p>Proof: {@code LauncherProcessTest}.
 */
final class LinePump {
    /** A line that is longer is handed on in pieces: a rank may print bytes without end. */
    private static final int LONGEST_LINE_BYTES = 1 << 16;

    private final Thread thread;

    private LinePump(String name, InputStream in, Consumer<byte[]> lines) {
        thread = new Thread(null, () -> pump(in, lines), name, 0, false);
        thread.setDaemon(true);
    }

    /** Lines are handed on without their line feed. */
    static LinePump start(String name, InputStream in, Consumer<byte[]> lines) {
        LinePump pump = new LinePump(name, in, lines);
        pump.thread.start();
        return pump;
    }

    /** Waits until all is handed on; not for ever, as a child that a rank left behind may hold the stream open. */
    void join(long timeoutMs) {
        try {
            thread.join(timeoutMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(InputStream in, Consumer<byte[]> lines) {
        byte[] chunk = new byte[8192];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (in) {
            for (int got = in.read(chunk); got >= 0; got = in.read(chunk)) {
                for (int i = 0; i < got; i++) {
                    if (chunk[i] != '\n') {
                        line.write(chunk[i]);
                    }
                    if (chunk[i] == '\n' || line.size() == LONGEST_LINE_BYTES) {
                        lines.accept(line.toByteArray());
                        line.reset();
                    }
                }
            }
        } catch (IOException e) {
            lines.accept(("(output lost: " + e.getMessage() + ")").getBytes());
        }
        if (line.size() > 0) {
            lines.accept(line.toByteArray());
        }
    }
}
