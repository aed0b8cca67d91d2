package org.sluice.jni;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Whether another user could put something of his own into the place of what we make in a folder: he can rename whatever lies in a
 * folder that he may write, unless it is sticky, and in one that is his.
 *
 * <p>Proof: {@code UnsafeFolderTest}.
 */
public final class SafeFolder {

    private static final int STICKY = 01000;
    private static final int WRITE_OF_GROUP = 020;
    private static final int WRITE_OF_OTHERS = 02;
    private static final int ALL_OF_OTHERS = 077;
    private static final int PERMISSIONS = 07777;

    private SafeFolder() {
    }

    /** @param folder without links @throws FileSystemException with the reason */
    public static void check(Path folder) throws IOException {
        int us = (Integer) attributes(Path.of("/proc/self")).get("uid");
        // Where root is unknown, as in some user namespaces, whoever has the topmost folder.
        int root = (Integer) attributes(folder.getRoot()).get("uid");
        Path at = folder.getRoot();
        for (int depth = 0; depth <= folder.getNameCount(); depth++) {
            at = depth == 0 ? at : at.resolve(folder.getName(depth - 1));
            Map<String, Object> found = attributes(at);
            int owner = (Integer) found.get("uid");
            int mode = (Integer) found.get("mode") & PERMISSIONS;
            if (owner != us && owner != root && owner != 0) {
                throw refusal(at, "belongs to another user (number " + owner + ")");
            }
            if ((mode & STICKY) == 0 && (mode & (WRITE_OF_GROUP | WRITE_OF_OTHERS)) != 0) {
                throw refusal(at, "may be written by other users and isn't sticky (mode " + Integer.toOctalString(mode) + ")");
            }
            if (owner == us && (mode & ALL_OF_OTHERS) == 0) {
                // Nobody else gets to what is below.
                return;
            }
        }
    }

    private static Map<String, Object> attributes(Path path) throws IOException {
        return Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static FileSystemException refusal(Path folder, String why) {
        return new FileSystemException(folder.toString(), null, folder + " " + why + ", who could put code of his own there");
    }
}
