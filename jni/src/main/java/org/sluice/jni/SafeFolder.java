package org.sluice.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * Whether another user could put something of his own into the place of what we make in a folder: he can rename
 * whatever lies in a folder that he may write, unless it is sticky, and in one that is his.
 *
 * <p>Proof: {@code UnsafeFolderTest}.
 */
public final class SafeFolder {

    private static final int STICKY = 01000;
    private static final int WRITE_OF_GROUP = 020;
    private static final int WRITE_OF_OTHERS = 02;
    private static final int ALL_OF_OTHERS = 077;
    private static final int PERMISSIONS = 07777;
    private static final long ROOT = 0;
    private static final int DIGITS = 32;
    private static final Path USERS = Path.of("/proc/self/uid_map");
    private static final Path OVERFLOW_USER = Path.of("/proc/sys/kernel/overflowuid");

    private SafeFolder() {}

    /**
     * @param folder without links
     * @throws FileSystemException with the reason
     */
    public static void check(Path folder) throws IOException {
        int us = (Integer) attributes(Path.of("/proc/self")).get("uid");
        Path at = folder.getRoot();
        for (int depth = 0; depth <= folder.getNameCount(); depth++) {
            at = depth == 0 ? at : at.resolve(folder.getName(depth - 1));
            Map<String, Object> found = attributes(at);
            int owner = (Integer) found.get("uid");
            int mode = (Integer) found.get("mode") & PERMISSIONS;
            if (owner != us && !mayBeRoots(owner)) {
                throw refusal(at, "belongs to another user (number " + owner + ")");
            }
            if ((mode & STICKY) == 0 && (mode & (WRITE_OF_GROUP | WRITE_OF_OTHERS)) != 0) {
                throw refusal(
                        at,
                        "may be written by other users and isn't sticky (mode " + Integer.toOctalString(mode) + ")");
            }
            if (owner == us && (mode & ALL_OF_OTHERS) == 0) {
                // Nobody else gets to what is below.
                return;
            }
        }
    }

    /**
     * Whether what has this owner is root's. In a user namespace that doesn't know root, as of containers that ordinary
     * users start, what is his seems to belong to whom all unknown users are there; who else is unknown can't be told,
     * so that he passes for root.
     */
    public static boolean mayBeRoots(long owner) throws IOException {
        return owner == ROOT || owner == number(OVERFLOW_USER) && !isRootKnown(Files.readString(USERS));
    }

    /** In one read: such a file is over after the first, however short that was. */
    private static long number(Path file) throws IOException {
        byte[] text = new byte[DIGITS];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.read(text);
            return Long.parseLong(new String(text, 0, Math.max(0, length), StandardCharsets.US_ASCII).trim());
        } catch (NumberFormatException e) {
            throw new IOException(file + " holds no number", e);
        }
    }

    /**
     * @param map lines of a first number here, the first number outside, and how many follow each other; see
     *     user_namespaces(7)
     */
    static boolean isRootKnown(String map) {
        StringTokenizer numbers = new StringTokenizer(map);
        while (numbers.countTokens() >= 3) {
            numbers.nextToken();
            long outside = Long.parseLong(numbers.nextToken());
            long count = Long.parseLong(numbers.nextToken());
            if (outside == ROOT && count > 0) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, Object> attributes(Path path) throws IOException {
        return Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static FileSystemException refusal(Path folder, String why) {
        return new FileSystemException(
                folder.toString(), null, folder + " " + why + ", who could put code of his own there");
    }
}
