package org.sluice.tcp.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * Writes a certificate that its own key has signed, which the JDK has no public call for: X.509 version 3, no
 * extensions, in DER (RFC 5280, section 4.1). Nobody reads a name or a date in it: peers know its fingerprint.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code IdentityTest}.
 */
final class SelfSigned {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;

    private static final byte[] V3 = {2};
    /** 1.2.840.10045.4.3.2, ecdsa-with-SHA256, with its tag. */
    private static final byte[] SIGNED_BY = {0x06, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    /** 2.5.4.3, the common name, with its tag. */
    private static final byte[] COMMON_NAME = {0x06, 3, 0x55, 4, 3};

    private static final int SHORT_LENGTH = 0x80;

    private SelfSigned() {}

    static X509Certificate of(KeyPair pair, String commonName, BigInteger serial) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, SIGNED_BY);
        byte[] name = der(
                SEQUENCE,
                der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, commonName.getBytes(StandardCharsets.UTF_8)))));
        // Clocks of two machines may differ: it lives as long as the job, whatever they say.
        byte[] validity =
                der(SEQUENCE, der(UTC_TIME, ascii("000101000000Z")), der(GENERALIZED_TIME, ascii("99991231235959Z")));
        byte[] signed = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, V3)),
                der(INTEGER, serial.toByteArray()),
                algorithm,
                name,
                validity,
                name,
                pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed);
        byte[] whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Tag, length, contents. */
    static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] each : parts) {
            length += each.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < SHORT_LENGTH) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int zeros = digits[0] == 0 ? 1 : 0;
            out.write(SHORT_LENGTH | digits.length - zeros);
            out.write(digits, zeros, digits.length - zeros);
        }
        for (byte[] each : parts) {
            out.writeBytes(each);
        }
        return out.toByteArray();
    }
}
