package org.sluice.bench.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process with a /dev/shm of its own, as in a container: as far as channels go it is on another node. */
public final class OwnMemory {
    /** Words before its command. */
    static final List<String> PREFIX =
            List.of("unshare", "--mount", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$@\"", "sh");

    private static final long LIMIT_S = 10;

    private OwnMemory() {}

    /** Why no such process can be started here, as the rest of a sentence; empty where one can. */
    public static Optional<String> missing() {
        return missing(PREFIX);
    }

    static Optional<String> missing(List<String> prefix) {
        List<String> command = new ArrayList<>(prefix);
        command.add("true");
        String reason;
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                reason = "it didn't end";
            } else if (process.exitValue() == 0) {
                return Optional.empty();
            } else {
                reason = new String(process.getInputStream().readAllBytes()).strip();
            }
        } catch (IOException e) {
            reason = e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason = "interrupted";
        }
        return Optional.of("needs a process with a /dev/shm of its own, by unshare --mount, which isn't allowed here ("
                + reason + "); root in a guest may: ./sluice vm -- ./sluice bench latency --channel all");
    }
}
