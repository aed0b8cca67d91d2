package org.sluice.tcp.connect;

import java.net.InetAddress;
import org.sluice.device.option.Option;

/**
 * Why a peer could not be connected to so far, and what to do, in words. <i>Thread</i>: the helper. <i>Proof</i>:
 * {@code ConnectTest}, {@code BadDaysNodesTest}, {@code FewFilesProcessTest}.
 */
final class Unreached {
    static final String LATE = "it did not answer in time";
    static final String SILENT = "it took the connection, and did not answer in time";

    /** Of the last try that says something. */
    private String why;
    /** Null where it was no peer's fault. */
    private InetAddress at;

    void refused(InetAddress address, String reason) {
        // A try that was cut short says less than the one before.
        if (why == null || !reason.equals(LATE) && !reason.equals(SILENT)) {
            why = reason;
            at = address;
        }
    }

    /** This process could not even try. */
    void notTried(String reason) {
        why = reason;
        at = null;
    }

    String text(PeerAddress peer, long timeoutMs) {
        String what = "no connection to " + peer.where() + " within " + timeoutMs + " ms";
        if (at == null) {
            return what + ": " + why;
        }
        return what + " (the last try: " + at.getHostAddress() + ": " + why + "); "
                + (why.equals(SILENT)
                        ? "its process may be stopped, or have no file left to open, which it says itself, or another"
                                + " program listens there"
                        : "a firewall may be between, or " + Option.TCP_INTERFACE.property()
                                + " has to say which network to take");
    }
}
