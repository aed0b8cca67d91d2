package org.sluice.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How many processes and threads this user may add: the kernel counts all that are his on this machine. <i>Fails</i>:
 * never; what can't be read limits nothing.
 */
final class UserTasks {
    private static final Path PROC = Path.of("/proc");
    private static final String UID = "unix:uid";
    private static final String LIMIT = "Max processes";

    private UserTasks() {}

    static long left() {
        try {
            long limit = limit(Files.readAllLines(PROC.resolve("self/limits")));
            int uid = (int) Files.getAttribute(PROC.resolve("self"), UID);
            // Root is held to none.
            return limit == Long.MAX_VALUE || uid == 0 ? Long.MAX_VALUE : Math.max(0, limit - count(uid));
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The soft one. */
    static long limit(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(LIMIT)) {
                String soft = line.substring(LIMIT.length()).trim().split("\\s+")[0];
                return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
            }
        }
        return Long.MAX_VALUE;
    }

    private static long count(int uid) throws IOException {
        long count = 0;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                count += threads(process, uid);
            }
        }
        return count;
    }

    private static long threads(Path process, int uid) {
        try {
            if ((int) Files.getAttribute(process, UID) == uid) {
                for (String line : Files.readAllLines(process.resolve("status"))) {
                    if (line.startsWith("Threads:")) {
                        return Long.parseLong(line.replaceAll("\\D", ""));
                    }
                }
            }
        } catch (IOException e) {
            // It has ended meanwhile.
            return 0;
        }
        return 0;
    }
}
