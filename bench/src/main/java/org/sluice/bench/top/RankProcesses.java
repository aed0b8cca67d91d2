package org.sluice.bench.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the JVMs of this user that Sluice lives in. Who asks a process that is none of them for its state ends it (SIGQUIT), so a process must have a JVM's library mapped, and something of
 * Sluice's beside. <i>Proof</i>: {@code TopProcessTest}.
 */
public final class RankProcesses {
    private static final Path PROC = Path.of("/proc");

    private RankProcesses() {
    }

    /** Process numbers, ascending; this one's not. */
    public static List<Long> find() throws IOException {
        List<Long> found = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        Object user = Files.getAttribute(PROC.resolve("self"), "unix:uid");
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid != self && isRank(process, user)) {
                    found.add(pid);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(null);
        return found;
    }

    private static boolean isRank(Path process, Object user) {
        try {
            if (!user.equals(Files.getAttribute(process, "unix:uid"))) {
                return false;
            }
            String maps = read(process.resolve("maps"));
            return maps.contains("/libjvm.so") && (maps.contains("/libsluice_") || read(process.resolve("environ")).contains("SLUICE_JOB_ADDRESS=")
                    || read(process.resolve("cmdline")).contains("-Dsluice.job.address="));
        } catch (IOException e) {
            // It has ended, or may not be looked into.
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
