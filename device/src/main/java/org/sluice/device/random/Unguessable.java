package org.sluice.device.random;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Bits from the kernel's generator, which is what {@link SecureRandom} reads too, without the 25 ms that the first of
 * those costs a process (see docs/project/adr/0008-fast-open.md). <i>Thread</i>: any. <i>Proof</i>:
 * {@code UnguessableTest}.
 */
public final class Unguessable {
    private static final String KERNEL = "/dev/urandom";

    private Unguessable() {}

    public static byte[] bytes(int count) {
        return bytes(count, KERNEL);
    }

    static byte[] bytes(int count, String source) {
        try (InputStream in = new FileInputStream(source)) {
            byte[] bytes = in.readNBytes(count);
            if (bytes.length == count) {
                return bytes;
            }
        } catch (IOException e) {
            // No such file here: the JDK finds another source.
        }
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    public static long number() {
        return ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
    }

    /** 128 random bits; only the type is a UUID's, so no bits are taken up by its version. */
    public static UUID uuid() {
        ByteBuffer bits = ByteBuffer.wrap(bytes(2 * Long.BYTES));
        return new UUID(bits.getLong(), bits.getLong());
    }
}
