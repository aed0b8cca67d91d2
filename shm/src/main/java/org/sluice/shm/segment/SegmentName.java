package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.os.OsCalls;

/**
 * What a rank's segment is called while it has a name: nobody outside the job can guess it, and everybody inside can
 * work it out, so that the others can remove it for a rank that was killed before it could.
 */
final class SegmentName {
    private static final int SECRET_BYTES = 16;

    private SegmentName() {
    }

    /** @param secret what only the job's ranks know, different for each opening */
    static Path of(Options options, OsCalls os, String secret, int rank) {
        return Path.of(options.text(Option.SHM_DIR)).resolve("sluice-" + userId(os) + "-" + digest(secret + "/"
                + rank));
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, SECRET_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static long userId(OsCalls os) {
        long uid = os.getuid();
        if (uid >= 0) {
            return uid;
        }
        try {
            return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        } catch (IOException | UnsupportedOperationException e) {
            // Only a part of the name, for people who look into the directory.
            return 0;
        }
    }
}
