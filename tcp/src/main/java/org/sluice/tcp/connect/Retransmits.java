package org.sluice.tcp.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.sluice.jni.Errno;
import org.sluice.jni.os.OsCalls;

/**
 * What TCP itself had to send again, which the kernel counts for each connection and Java has no call for. It is asked
 * for when somebody wants to know it, and no earlier: a message costs nothing. A connection that has ended keeps what
 * was read last.
 *
 * <p><i>Thread</i>: any, one at a time under its monitor. <i>Lends</i>: descriptors, which are the sockets' own.
 * <i>Fails</i>: by {@link #unknown}. <i>Proof</i>: {@code RetransmitsTest}.
 */
public final class Retransmits {
    private static final int IPV4_BYTES = 4;
    /** Before an address of IPv4 in one of IPv6. */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final OsCalls os;
    /** By rank, once asked for. */
    private final Found[] found;

    private volatile String unknown;

    /** A socket by its ends and by its number, as far as that was found. */
    private static final class Found {
        final byte[] ends;
        int descriptor = -1;

        Found(byte[] ends) {
            this.ends = ends;
        }
    }

    public Retransmits(OsCalls os, int ranks) {
        this.os = os;
        this.found = new Found[ranks];
        long none = os.tcpRetransmits(-1, new byte[OsCalls.ENDS_BYTES]);
        if (none == -Errno.ENOSYS) {
            unknown = "that takes the native library, which is not there";
        }
    }

    /** Why they can't be told here; null where they can. */
    public String unknown() {
        return unknown;
    }

    /** Brings the counters of all connections that stand up to date. */
    public synchronized void read(Connection[] all) {
        for (Connection each : all) {
            if (unknown != null) {
                return;
            }
            if (each != null && each.state() == ConnectionState.READY) {
                read(each);
            }
        }
    }

    private void read(Connection connection) {
        Found socket = found[connection.peer()];
        if (socket == null) {
            byte[] ends = ends(connection);
            if (ends == null) {
                return;
            }
            socket = new Found(ends);
            found[connection.peer()] = socket;
        }
        if (socket.descriptor < 0) {
            socket.descriptor = os.findSocket(socket.ends);
        }
        if (socket.descriptor < 0) {
            failed("findSocket", socket.descriptor);
            return;
        }
        long count = os.tcpRetransmits(socket.descriptor, socket.ends);
        if (count < 0) {
            failed("tcpRetransmits", count);
        } else {
            connection.outbound().retransmitted(count);
        }
    }

    private void failed(String call, long result) {
        // A socket that isn't there has been closed meanwhile.
        if (result != -Errno.ENOENT) {
            unknown = Errno.describe(call, result);
        }
    }

    /** As {@link OsCalls#findSocket} takes them; null where the socket is closed. */
    private static byte[] ends(Connection connection) {
        try {
            ByteBuffer ends = ByteBuffer.allocate(OsCalls.ENDS_BYTES);
            put(connection.socket().getLocalAddress(), ends);
            put(connection.socket().getRemoteAddress(), ends);
            return ends.array();
        } catch (IOException e) {
            return null;
        }
    }

    private static void put(SocketAddress address, ByteBuffer ends) {
        InetSocketAddress end = (InetSocketAddress) address;
        byte[] bytes = end.getAddress().getAddress();
        if (bytes.length == IPV4_BYTES) {
            ends.put(MAPPED);
        }
        ends.put(bytes).putShort((short) end.getPort());
    }
}
