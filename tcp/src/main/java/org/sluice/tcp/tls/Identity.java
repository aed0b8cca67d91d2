package org.sluice.tcp.tls;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.random.Unguessable;

/**
 * A rank's key and certificate, made when its device opens and never written anywhere, and the fingerprints of its
 * peers' certificates, which it knows from the job's bootstrap.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: OPEN_FAILED, if this Java runtime has no TLS 1.3. <i>Proof</i>:
 * {@code IdentityTest}, {@code TlsTest}.
 */
public final class Identity {
    /** Of a fingerprint, which is SHA-256. */
    public static final int FINGERPRINT_BYTES = 32;

    private static final int SERIAL_BYTES = 16;
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    /** Both are in every TLS 1.3 of the JDK; the first takes less time. */
    private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

    private final SSLContext context;
    private final X509Certificate certificate;
    private final Set<ByteBuffer> trusted = ConcurrentHashMap.newKeySet();

    private Identity(int rank) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        certificate = SelfSigned.of(pair, "Sluice rank " + rank, new BigInteger(1, Unguessable.bytes(SERIAL_BYTES)));
        context = SSLContext.getInstance(PROTOCOLS[0]);
        context.init(
                new KeyManager[] {new OwnKey(pair.getPrivate(), certificate)},
                new TrustManager[] {new PublishedTrust(trusted)},
                null);
    }

    /** Makes a key and a certificate. */
    public static Identity create(int rank) {
        try {
            Identity identity = new Identity(rank);
            // What a runtime lacks or forbids is found now, not by the first who connects.
            identity.engine(true);
            return identity;
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    Option.TCP_TLS.property() + "=on takes TLS 1.3 with elliptic curves, and this Java runtime ("
                            + System.getProperty("java.home") + ") has none: " + e
                            + "; take a whole JDK or JRE, or one with the module jdk.crypto.ec",
                    e);
        }
    }

    /** Of this rank's certificate. */
    public byte[] fingerprint() {
        return fingerprint(certificate);
    }

    /** A rank of this job has published it. */
    public void trust(byte[] fingerprint) {
        trusted.add(ByteBuffer.wrap(fingerprint.clone()));
    }

    /** For one connection. Both sides have to have a certificate of the job's. */
    public SSLEngine engine(boolean isDialer) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(isDialer);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setCipherSuites(CIPHERS);
        parameters.setNeedClientAuth(!isDialer);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Whether this is the certificate with that fingerprint. */
    public static boolean isOf(Certificate certificate, byte[] fingerprint) {
        return MessageDigest.isEqual(fingerprint(certificate), fingerprint);
    }

    static byte[] fingerprint(Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate that can't be written: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
