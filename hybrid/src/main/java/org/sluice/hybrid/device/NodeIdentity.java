package org.sluice.hybrid.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluice.device.option.Option;
import org.sluice.device.random.Unguessable;

/**
 * What two ranks must have in common to share memory: one running kernel, one shared-memory folder, one user.
 *
 * <p>Containers on one machine can have one boot id and different folders, so the folder's device and inode count too;
 * and users of their own by the same numbers, so the number outside of them counts too.
 */
public final class NodeIdentity {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";
    private static final String USERS = "/proc/self/uid_map";
    private static final String UNKNOWN = "unknown, since ";
    private static final String BEHIND_KERNEL = ", folder ";
    private static final int KERNEL = 1;
    private static final int FOLDER = 2;
    private static final int DEVICE = 3;
    private static final int INODE = 4;
    private static final int USER = 5;

    private NodeIdentity() {}

    static String of(Path shmFolder) {
        try {
            return tell(shmFolder, BOOT_ID);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // No shared memory without these facts: a text of its own makes this rank remote for all others.
            String why = Files.isDirectory(shmFolder)
                    ? "this user can't read what tells (" + e + ")"
                    : Option.SHM_DIR.property() + " = '" + shmFolder + "' can't be used (there is no such folder)";
            // A number by chance too, as in containers every rank may be process 1.
            return UNKNOWN + why + ", process " + ProcessHandle.current().pid() + " ("
                    + Long.toHexString(Unguessable.number()) + ")";
        }
    }

    /** Whether it says where a rank is, and not why that isn't known. */
    static boolean isKnown(String node) {
        return !node.startsWith(UNKNOWN);
    }

    /** Whether two ranks run on one machine, whether or not they share memory: its cores they share. */
    static boolean isOneMachine(String own, String peer) {
        int end = own.indexOf(BEHIND_KERNEL);
        return isKnown(own) && end >= 0 && peer.startsWith(own.substring(0, end + BEHIND_KERNEL.length()));
    }

    /** Why two ranks of one kernel share no memory; empty where they share it, or where their kernels are two. */
    static String apart(String own, String peer) {
        // Where ranks share memory nobody asks, and a pattern is work for a JVM that begins.
        Pattern parts =
                Pattern.compile("kernel (.*), folder (.*) \\(device (.*), inode (.*)\\), user (.*)", Pattern.DOTALL);
        Matcher here = parts.matcher(own);
        Matcher there = parts.matcher(peer);
        if (!here.matches() || !there.matches()) {
            return own.equals(peer) ? "" : here.matches() ? "its node is " + peer : "this rank's node is " + own;
        }
        if (!here.group(KERNEL).equals(there.group(KERNEL))) {
            return "";
        }
        if (!here.group(USER).equals(there.group(USER))) {
            return "another user (" + here.group(USER) + " here, " + there.group(USER) + " there)";
        }
        if (!here.group(FOLDER).equals(there.group(FOLDER))) {
            return "another " + Option.SHM_DIR.property() + " (" + here.group(FOLDER) + " here, " + there.group(FOLDER)
                    + " there)";
        }
        return own.equals(peer)
                ? ""
                : "another " + here.group(FOLDER) + " (device " + here.group(DEVICE) + ", inode " + here.group(INODE)
                        + " here, device " + there.group(DEVICE) + ", inode " + there.group(INODE) + " there)";
    }

    /**
     * Why each rank that opened here would be remote for all others; empty where they would find each other. For the
     * doctor.
     */
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
        int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return "kernel " + ProcFile.read(bootId).trim() + BEHIND_KERNEL + shmFolder + " (device " + folder.get("dev")
                + ", inode " + folder.get("ino") + "), user " + user(Integer.toUnsignedLong(user), users());
    }

    private static String users() {
        try {
            return ProcFile.read(USERS);
        } catch (IOException e) {
            // A kernel without namespaces of users: all count alike.
            return "";
        }
    }

    /**
     * @param map lines of a first number here, the first number outside, and how many follow each other; see
     *     user_namespaces(7)
     */
    static String user(long number, String map) {
        StringTokenizer numbers = new StringTokenizer(map);
        while (numbers.countTokens() >= 3) {
            long here = Long.parseLong(numbers.nextToken());
            long outside = Long.parseLong(numbers.nextToken());
            long count = Long.parseLong(numbers.nextToken());
            if (number >= here && number - here < count && here != outside) {
                return number + " (outside " + (outside + number - here) + ")";
            }
        }
        return Long.toString(number);
    }
}
