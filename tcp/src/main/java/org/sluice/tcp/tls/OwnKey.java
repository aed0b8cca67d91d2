package org.sluice.tcp.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The one key of a rank, for whoever asks. The JDK's own manager would want a key store, which encrypts for some ten
 * milliseconds what never leaves memory.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code TlsTest}.
 */
final class OwnKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "rank";
    private static final String KIND = "EC";

    private final PrivateKey key;
    private final X509Certificate certificate;

    OwnKey(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    private static String alias(String... kinds) {
        for (String each : kinds) {
            if (each.equals(KIND)) {
                return ALIAS;
            }
        }
        return null;
    }

    private static String[] aliases(String kind) {
        return kind.equals(KIND) ? new String[] {ALIAS} : null;
    }

    @Override
    public String[] getClientAliases(String kind, Principal[] issuers) {
        return aliases(kind);
    }

    @Override
    public String[] getServerAliases(String kind, Principal[] issuers) {
        return aliases(kind);
    }

    @Override
    public String chooseClientAlias(String[] kinds, Principal[] issuers, Socket socket) {
        return alias(kinds);
    }

    @Override
    public String chooseServerAlias(String kind, Principal[] issuers, Socket socket) {
        return alias(kind);
    }

    @Override
    public String chooseEngineClientAlias(String[] kinds, Principal[] issuers, SSLEngine engine) {
        return alias(kinds);
    }

    @Override
    public String chooseEngineServerAlias(String kind, Principal[] issuers, SSLEngine engine) {
        return alias(kind);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
