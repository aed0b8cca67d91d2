package org.sluice.cli.doctor;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.device.option.Options;
import org.sluice.launch.RoomForRanks;

/**
 * Tries what larger jobs need of this shell, user and container: memory and processes, the size of a segment's file,
 * open files; and loopback, which {@code --listen} needs.
 *
 * <p>Thread: one.
 *
 * <p>Proof: {@code LimitsTest}, {@code JobTrialProcessTest}.
 */
final class Limits {
    static final String TOPIC = "limits";
    private static final int[] RANKS = {8, 64};
    private static final int PATIENCE_MS = 2000;
    private static final Map<String, String> SHELLS = Map.of(
            "Max file size",
            "ulimit -f",
            "Max open files",
            "ulimit -n",
            "Max processes",
            "ulimit -u",
            "Max address space",
            "ulimit -v",
            "Max data size",
            "ulimit -d");

    private final Path folder;
    private final Options options;
    private final RoomForRanks room;

    Limits(Path folder, Options options, RoomForRanks room) {
        this.folder = folder;
        this.options = options;
        this.room = room;
    }

    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        int fitting = 0;
        for (int ranks : RANKS) {
            String refusal = refusal(ranks);
            if (!refusal.isEmpty()) {
                findings.add(Finding.slower(
                        TOPIC,
                        "-n " + ranks + " would fail: " + refusal,
                        "take fewer ranks, or JVMs (--jvms), or have the limit raised"));
                break;
            }
            fitting = ranks;
        }
        if (fitting > 0) {
            findings.add(
                    0,
                    Finding.ok(
                            TOPIC,
                            "memory, processes, open files and the size of files allow " + fitting
                                    + " ranks in JVMs of their own"));
        }
        findings.add(loopback(InetAddress.getLoopbackAddress()));
        return findings;
    }

    private String refusal(int ranks) {
        String none = room.refusal(ranks, ranks);
        none = none.isEmpty() ? fileSize(SharedMemory.neededBytes(ranks, options) / ranks) : none;
        return none.isEmpty() ? RoomForRanks.filesRefusal(ranks, ranks, false) : none;
    }

    /** Makes a file of so many bytes, which takes no memory. */
    private String fileSize(long bytes) {
        Path file = null;
        try {
            file = Files.createTempFile(folder, "sluice-trial-", "");
            try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
                sized.setLength(bytes);
            }
            return "";
        } catch (IOException e) {
            return "a rank's segment is a file of " + (bytes >> 10) + " KB, and none can be made in " + folder + " ("
                    + e.getMessage() + "): see ulimit -f";
        } finally {
            if (file != null) {
                file.toFile().delete();
            }
        }
    }

    static Finding loopback(InetAddress address) {
        try (ServerSocket server = new ServerSocket(0, 1, address);
                Socket client = new Socket()) {
            client.connect(server.getLocalSocketAddress(), PATIENCE_MS);
            return Finding.ok("loopback", "connections to " + address.getHostAddress() + " can be made");
        } catch (IOException e) {
            return Finding.slower(
                    "loopback",
                    "no connection to " + address.getHostAddress() + " can be made (" + e.getMessage()
                            + "): ./sluice run --listen on it will fail",
                    "bring the interface up: ip link set lo up");
        }
    }

    /** The limits that are set, as a shell names them. */
    static String text() {
        List<String> set = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                SHELLS.forEach((name, shell) -> {
                    String value = line.startsWith(name)
                            ? line.substring(name.length()).trim().split("\\s+")[0]
                            : "unlimited";
                    if (!value.equals("unlimited")) {
                        set.add(shell + " (" + value + ")");
                    }
                });
            }
        } catch (IOException e) {
            // Only a hint.
            return "the limits of this shell and container";
        }
        return set.isEmpty()
                ? "the limits of this container"
                : String.join(", ", set) + ", and the limits of the container";
    }
}
