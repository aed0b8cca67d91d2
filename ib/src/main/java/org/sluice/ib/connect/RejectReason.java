package org.sluice.ib.connect;

/**
 * Why the connection manager of a peer, and no Sluice, rejected a connection: the numbers of the InfiniBand
 * specification, volume 1, 12.6.7.2.
 */
final class RejectReason {
    private static final String[] TEXTS = {
        "no reason",
        "no queue pair available",
        "no end-to-end context available",
        "no resources",
        "timeout",
        "unsupported request",
        "unknown communication identifier",
        "unknown communication instance",
        "nobody listens there",
        "transport not supported",
        "stale connection",
        "no such reliable datagram channel",
        "path: wrong GID",
        "path: wrong LID",
        "path: service level not supported",
        "path: traffic class not supported",
        "path: hop limit not supported",
        "path: packet rate not supported",
        "alternate path: wrong GID",
        "alternate path: wrong LID",
        "alternate path: service level not supported",
        "alternate path: traffic class not supported",
        "alternate path: hop limit not supported",
        "alternate path: packet rate not supported",
        "redirected connection manager",
        "redirected port",
        "path: packets of this size not supported",
        "not enough resources for RDMA reads",
        "the program's own reason",
        "retry count for receivers that are not ready not supported",
        "communication identifier used twice",
        "version not supported",
        "path: flow label not supported",
        "alternate path: flow label not supported"
    };

    private RejectReason() {}

    static String describe(int status) {
        return (status >= 0 && status < TEXTS.length ? TEXTS[status] : "unknown reason") + " (status " + status + ")";
    }
}
