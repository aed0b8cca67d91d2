package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.sluice.jni.os.Os;

/** Processors: which there are, and which of them this process may use. */
final class Processors {
    private Processors() {}

    static List<Finding> examine() {
        return examine(Path.of("/proc"));
    }

    static List<Finding> examine(Path proc) {
        int usable = Runtime.getRuntime().availableProcessors();
        String model = field(proc.resolve("cpuinfo"), "model name").orElse(System.getProperty("os.arch"));
        String allowed = field(proc.resolve("self/status"), "Cpus_allowed_list").orElse("unknown");
        Finding which = Finding.information("processors", usable + " usable, numbers " + allowed + ": " + model);
        Finding how = usable > 1
                ? pinning()
                : Finding.slower(
                        "processors",
                        "only one: ranks take turns, and spinning is a waste",
                        "allow more (taskset, the container's --cpus), or accept latencies of a task switch");
        return List.of(which, how);
    }

    private static Finding pinning() {
        return Os.available()
                ? new Pinning(Os.calls()).examine()
                : Finding.information(
                        "processors",
                        "whether ranks may be pinned was not tried, because the native library is not loaded");
    }

    private static Optional<String> field(Path file, String name) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(name) && line.contains(":"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
