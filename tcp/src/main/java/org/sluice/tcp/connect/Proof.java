package org.sluice.tcp.connect;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * That whoever makes it knows what both ranks have published to their job, in a conversation that nobody has had
 * before: both sides' random bytes are in it.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code StrangerTest}.
 */
final class Proof {
    static final int NONCE_BYTES = 32;
    static final int BYTES = 32;
    /** Whose it is: else one side's could be given back to it as the other's. */
    static final byte OF_DIALER = 1;

    static final byte OF_LISTENER = 2;

    private static final String ALGORITHM = "HmacSHA256";

    private Proof() {}

    static byte[] of(
            byte whose, PeerAddress dialer, PeerAddress listener, byte[] nonceOfDialer, byte[] nonceOfListener) {
        try {
            byte[] key = ByteBuffer.allocate(dialer.secret().length + listener.secret().length)
                    .put(dialer.secret())
                    .put(listener.secret())
                    .array();
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(whose);
            mac.update(ByteBuffer.allocate(2 * Integer.BYTES)
                    .putInt(dialer.rank())
                    .putInt(listener.rank())
                    .flip());
            mac.update(nonceOfDialer);
            mac.update(nonceOfListener);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM, e);
        }
    }

    /** In a time that says nothing of where they differ. */
    static boolean isEqual(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }
}
