package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * This process's standard input, for a rank that is elsewhere. At a terminal a job in the background may not read: the
 * kernel would stop the launcher. It waits until it is in the foreground.
 */
final class OwnInput {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path INPUT = Path.of("/proc/self/fd/0");
    private static final long LOOK_MS = 500;
    /** Of what follows the name in {@code stat}: state, parent, group, session, terminal, the terminal's group. */
    private static final int GROUP = 2;

    private static final int FOREGROUND = 5;

    private OwnInput() {}

    static int read(byte[] into) throws IOException, InterruptedException {
        while (isTerminal() && !isInForeground()) {
            Thread.sleep(LOOK_MS);
        }
        return System.in.read(into);
    }

    private static boolean isTerminal() throws IOException {
        String path = Files.readSymbolicLink(INPUT).toString();
        return path.startsWith("/dev/pts/") || path.startsWith("/dev/tty") || path.equals("/dev/console");
    }

    private static boolean isInForeground() throws IOException {
        String stat = Files.readString(STAT);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return fields[GROUP].equals(fields[FOREGROUND]);
    }
}
