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
final class RdmaDevices {
    private static final Path KERNEL = Path.of("/sys/class/infiniband");

    private RdmaDevices() {
    }

    /** The first whose first port is active, as the tools take no other port unless told. */
    static Optional<String> active() {
        return active(KERNEL);
    }

    static Optional<String> active(Path folder) {
        List<Path> devices = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(devices::add);
        } catch (IOException e) {
            return Optional.empty();
        }
        Collections.sort(devices);
        return devices.stream().filter(RdmaDevices::isActive).map(device -> device.getFileName().toString()).findFirst();
    }

    private static boolean isActive(Path device) {
        try {
            // As in "4: ACTIVE".
            return Files.readString(device.resolve("ports/1/state")).strip().endsWith(": ACTIVE");
        } catch (IOException e) {
            return false;
        }
    }
}
