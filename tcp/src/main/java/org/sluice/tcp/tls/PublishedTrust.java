package org.sluice.tcp.tls;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Believes certificates that ranks of the job have published, and no others. Which rank's it has to be is looked at
 * when the peer has said who it is.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code TlsTest}.
 */
final class PublishedTrust extends X509ExtendedTrustManager {
    private final Set<ByteBuffer> fingerprints;

    PublishedTrust(Set<ByteBuffer> fingerprints) {
        this.fingerprints = fingerprints;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length != 1 || !fingerprints.contains(ByteBuffer.wrap(Identity.fingerprint(chain[0])))) {
            throw new CertificateException("its certificate is none that a rank of this job has published");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
