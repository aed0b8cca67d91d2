package org.sluice.launch;

/**
 * Prints what there is to say at an end. Nobody may read standard error any more, or another thread may stand in it:
 * what must happen then never waits for it for longer than a moment.
 *
 * <p>Thread: any; each line has one of its own, which is left behind where it can't be said.
 *
 * <p>Proof: {@code UnreadOrphanProcessTest}.
 */
public final class LastLines {
    /** For a terminal or a pipe whose reader is slow. */
    static final long PATIENCE_MS = 3000;

    private LastLines() {}

    /** Returns once it is said, or after three seconds. */
    public static void print(String text) {
        print(text, PATIENCE_MS);
    }

    static void print(String text, long patienceMs) {
        Thread speaker = new Thread(
                null,
                () -> {
                    System.err.print(text);
                    System.err.flush();
                },
                "sluice-last-lines",
                0,
                false);
        speaker.setDaemon(true);
        try {
            speaker.start();
        } catch (OutOfMemoryError e) {
            // There is no room for a thread, nor for a line then.
            return;
        }
        ServerLine.join(speaker, patienceMs);
    }
}
