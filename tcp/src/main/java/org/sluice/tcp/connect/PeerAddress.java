package org.sluice.tcp.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a rank listens, and what it takes to prove that one is of its job; as it has published it.
 *
 * @param addresses in the order in which they are tried
 * @param secret its part of what both prove
 * @param certificate the fingerprint of its certificate; null where it has no TLS
 */
public record PeerAddress(int rank, List<InetAddress> addresses, int port, byte[] secret, byte[] certificate) {
    /** Whether it encrypts what it sends. */
    public boolean hasTls() {
        return certificate != null;
    }

    /** The same, with its addresses in the order in which they are tried. */
    public PeerAddress reachedAt(List<InetAddress> inOrder) {
        return new PeerAddress(rank, inOrder, port, secret, certificate);
    }

    InetSocketAddress at(int attempt) {
        return new InetSocketAddress(addresses.get(attempt % addresses.size()), port);
    }

    /** For messages. */
    public String where() {
        return addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(" or ")) + " port "
                + port;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "PeerAddress[rank " + rank + " at " + where() + "]";
    }
}
