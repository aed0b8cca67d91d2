package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.NativePath;
import org.sluice.jni.os.OsCalls;

/**
 * What a rank's segment is called while it has a name: nobody outside the job can guess it, and everybody inside can
 * work it out, so that the others can remove it for a rank that was killed before it could. <i>Proof</i>:
 * {@code LeftOverTest}, {@code OpenProcessTest}.
 */
public final class SegmentName {
    private SegmentName() {}

    /**
     * Where the segment of a rank is if it has a name.
     *
     * @param secret what only the job's ranks know, different for each opening
     */
    public static Path of(Options options, OsCalls os, String secret, int rank) {
        return Path.of(options.text(Option.SHM_DIR))
                .toAbsolutePath()
                .resolve("sluice-" + userId(os) + "-" + digits(secret, rank));
    }

    /**
     * Whether segments in a folder need names: null where they don't, else why.
     *
     * @throws IOException where no file can be made there
     */
    public static String whyNeeded(Path folder, OsCalls os) throws IOException {
        int fd = os.openUnnamed(NativePath.of(folder), SegmentFile.OWNER_ONLY);
        if (fd >= 0) {
            os.close(fd);
            return null;
        }
        if (!SegmentFile.meansThereAreNone(fd)) {
            throw new IOException(Errno.describe("open", fd));
        }
        return Errno.describe("open", fd);
    }

    /** 128 bits: under a secret key, SipHash of one rank says nothing about that of another. */
    private static String digits(String secret, int rank) {
        byte[] text = secret.getBytes(StandardCharsets.UTF_8);
        SipHash keyed = new SipHash(new SipHash(0, 0).of(text), new SipHash(0, 1).of(text));
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(keyed.of((rank + "/0").getBytes(StandardCharsets.UTF_8)))
                + hex.toHexDigits(keyed.of((rank + "/1").getBytes(StandardCharsets.UTF_8)));
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
