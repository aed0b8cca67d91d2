package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The RDMA devices that the kernel knows. */
public final class RdmaDevices {
    private static final String IB_CHANNEL = "--channel ib";
    private static final Path KERNEL = Path.of("/sys/class/infiniband");

    private RdmaDevices() {}

    /**
     * What is said where nothing can run over verbs; empty where something can.
     *
     * @param benchmarks the names on the command line
     */
    public static Optional<String> missing(String benchmarks) {
        return missing(KERNEL, benchmarks);
    }

    /** @param channel that was asked for */
    public static Optional<String> missing(String benchmarks, String channel) {
        return missing(benchmarks).map(text -> text.replace(IB_CHANNEL, "--channel " + channel));
    }

    static Optional<String> missing(Path folder, String benchmarks) {
        if (entries(folder).stream()
                .anyMatch(device -> entries(device.resolve("ports")).stream().anyMatch(RdmaDevices::isActive))) {
            return Optional.empty();
        }
        return Optional.of(
                "needs an RDMA device with an active port, and this machine has none; a guest has one: ./sluice vm --"
                        + " ./sluice bench "
                        + benchmarks + " " + IB_CHANNEL);
    }

    /** The first whose first port is active, as the tools take no other port unless told. */
    static Optional<String> active() {
        return active(KERNEL);
    }

    static Optional<String> active(Path folder) {
        return entries(folder).stream()
                .filter(device -> isActive(device.resolve("ports/1")))
                .map(device -> device.getFileName().toString())
                .findFirst();
    }

    /** In order; none where there is no such folder. */
    private static List<Path> entries(Path folder) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(found);
        return found;
    }

    private static boolean isActive(Path port) {
        try {
            // As in "4: ACTIVE".
            return Files.readString(port.resolve("state")).strip().endsWith(": ACTIVE");
        } catch (IOException e) {
            return false;
        }
    }
}
