package org.sluice.hybrid.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.sluice.device.option.Option;

/**
 * What two ranks must have in common to share memory: one running kernel, one shared-memory folder, one user.
 *
 * <p>Containers on one machine can have one boot id and different folders, so the folder's device and inode count too.
 */
public final class NodeIdentity {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    private NodeIdentity() {
    }

    static String of(Path shmFolder) {
        try {
            return tell(shmFolder, BOOT_ID);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // No shared memory without these facts: a text of its own makes this rank remote for all others.
            String why = Files.isDirectory(shmFolder) ? "this user can't read what tells (" + e + ")"
                    : Option.SHM_DIR.property() + " = '" + shmFolder + "' can't be used (there is no such folder)";
            return "unknown, since " + why + ", process " + ProcessHandle.current().pid();
        }
    }

    /** Why each rank that opened here would be remote for all others; empty where they would find each other. For the doctor. */
    public static String unknownReason(Path shmFolder) {
        return unknownReason(shmFolder, BOOT_ID);
    }

    static String unknownReason(Path shmFolder, String bootId) {
        try {
            tell(shmFolder, bootId);
            return "";
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return e.toString();
        }
    }

    private static String tell(Path shmFolder, String bootId) throws IOException {
        Map<String, Object> folder = Files.readAttributes(shmFolder, "unix:dev,ino");
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return "kernel " + ProcFile.read(bootId).trim() + ", folder " + shmFolder + " (device " + folder.get("dev") + ", inode "
                + folder.get("ino") + "), user " + user;
    }
}
