package org.sluice.hybrid.launch;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.sluice.device.random.Unguessable;

/**
 * The secret that tells a job's own ranks from whoever else can reach a loopback port: 128 random bits, written in
 * hexadecimal.
 */
final class JobToken {
    private static final int BYTES = 16;

    private JobToken() {
    }

    static String random() {
        return HexFormat.of().formatHex(Unguessable.bytes(BYTES));
    }

    /** Takes as long for a wrong token as for the right one, so that it can't be guessed digit by digit. */
    static boolean equal(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
