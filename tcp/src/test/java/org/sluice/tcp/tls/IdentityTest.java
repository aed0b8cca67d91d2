package org.sluice.tcp.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Date;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Certificates as the JDK reads them, which knows nothing of who wrote them. */
final class IdentityTest {
    private static KeyPair pair() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    @Test
    void theJdkReadsACertificateAndItsOwnKeyHasSignedIt() throws Exception {
        KeyPair pair = pair();
        X509Certificate made = SelfSigned.of(pair, "Sluice rank 12", BigInteger.valueOf(4711));
        made.verify(pair.getPublic());
        made.checkValidity();
        made.checkValidity(new Date(4_000_000_000_000L));
        assertEquals(3, made.getVersion());
        assertEquals("X.509", made.getType());
        assertEquals("SHA256withECDSA", made.getSigAlgName());
        assertEquals("CN=Sluice rank 12", made.getSubjectX500Principal().getName());
        assertEquals(made.getSubjectX500Principal(), made.getIssuerX500Principal());
        assertEquals(BigInteger.valueOf(4711), made.getSerialNumber());
        assertArrayEquals(pair.getPublic().getEncoded(), made.getPublicKey().getEncoded());
    }

    /** Lengths of one, two and three bytes, and numbers whose first bit is set. */
    @Test
    void lengthsAndNumbersOfAnySizeAreReadBack() throws Exception {
        KeyPair pair = pair();
        for (int letters : new int[] {1, 64, 127, 128, 255, 256, 300, 65_535, 65_536, 70_000}) {
            String name = "x".repeat(letters);
            X509Certificate made = SelfSigned.of(pair, name, BigInteger.ONE.shiftLeft(letters % 150));
            assertEquals("CN=" + name, made.getSubjectX500Principal().getName());
            assertEquals(BigInteger.ONE.shiftLeft(letters % 150), made.getSerialNumber());
            made.verify(pair.getPublic());
        }
        byte[] digits = new byte[16];
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            random.nextBytes(digits);
            BigInteger serial = new BigInteger(1, digits);
            assertEquals(serial, SelfSigned.of(pair, "n", serial).getSerialNumber());
        }
    }

    @Test
    void noTwoRanksHaveOneCertificate() {
        byte[] one = Identity.create(3).fingerprint();
        byte[] other = Identity.create(3).fingerprint();
        assertEquals(Identity.FINGERPRINT_BYTES, one.length);
        assertFalse(Arrays.equals(one, other));
    }

    @Test
    void aFingerprintIsOfTheWholeCertificate() throws Exception {
        X509Certificate made = SelfSigned.of(pair(), "n", BigInteger.TEN);
        byte[] expected = MessageDigest.getInstance("SHA-256").digest(made.getEncoded());
        assertTrue(Identity.isOf(made, expected));
        expected[31]++;
        assertFalse(Identity.isOf(made, expected));
    }
}
