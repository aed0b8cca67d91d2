package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Carries one stream of a rank's output on, line by line, so that lines of different ranks don't run into each other. A
 * line that is begun and not ended for a while, as a prompt is, is handed on as far as it has come.
 *
 * <p>Thread: its own, a daemon. What is not read on keeps the rank from printing more.
 *
 * <p>Proof: {@code LinePumpTest}, {@code LauncherProcessTest}.
 */
final class LinePump {
    /** A line that is longer is handed on in pieces: a rank may print bytes without end. */
    private static final int LONGEST_LINE_BYTES = 1 << 16;
    /**
     * How long a line may stand still before it is shown: longer than a program takes to print the next piece of it.
     */
    private static final int QUIET_LOOKS = 6;

    private static final long QUIET_LOOK_MS = 25;

    private final InputStream in;
    private final RankOutput.Text text;
    private final Thread thread;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    /** Part of the line was handed on. */
    private boolean isBegun;

    private volatile long moved;

    private final boolean inPieces;

    private LinePump(String name, InputStream in, RankOutput.Text text, boolean inPieces) {
        this.inPieces = inPieces;
        this.in = in;
        this.text = text;
        this.thread = new Thread(null, this::pump, name, 0, false);
        thread.setDaemon(true);
    }

    static LinePump start(String name, InputStream in, RankOutput.Text text) {
        return started(new LinePump(name, in, text, false));
    }

    /** Hands on bytes as they come, ends of lines among them, and never says that a line ends. */
    static LinePump startPieces(String name, InputStream in, RankOutput.Text text) {
        return started(new LinePump(name, in, text, true));
    }

    private static LinePump started(LinePump pump) {
        pump.thread.start();
        return pump;
    }

    /** @return whether all is handed on */
    boolean join(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    /** A number that changes whenever something is handed on. */
    long moved() {
        return moved;
    }

    private void pump() {
        byte[] chunk = new byte[8192];
        try (in) {
            for (int got = in.read(chunk); got >= 0; got = in.read(chunk)) {
                if (inPieces) {
                    line.write(chunk, 0, got);
                    handOn(false);
                    continue;
                }
                for (int i = 0; i < got; i++) {
                    if (chunk[i] != '\n') {
                        line.write(chunk[i]);
                    }
                    if (chunk[i] == '\n' || line.size() == LONGEST_LINE_BYTES) {
                        handOn(true);
                    }
                }
                if (line.size() > 0 && isQuiet()) {
                    handOn(false);
                }
            }
        } catch (IOException e) {
            line.writeBytes(("(output lost: " + e.getMessage() + ")").getBytes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!inPieces && (line.size() > 0 || isBegun)) {
            handOn(true);
        }
    }

    private void handOn(boolean endsLine) {
        text.take(line.toByteArray(), endsLine);
        line.reset();
        isBegun = !endsLine;
        moved++;
    }

    private boolean isQuiet() throws IOException, InterruptedException {
        for (int look = 0; look < QUIET_LOOKS && in.available() == 0; look++) {
            Thread.sleep(QUIET_LOOK_MS);
        }
        return in.available() == 0;
    }
}
