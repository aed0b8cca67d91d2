package org.sluice.ib.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.ib.IbFacts;

/**
 * Whether the system knows a way from one address to another, which the connection manager asks it too, but only when a
 * connection is made: a peer on a network that this machine has no way to is found at open by this. A datagram socket
 * that is connected looks the way up and sends nothing.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code RoutingTableTest}.
 */
public final class RoutingTable {
    private RoutingTable() {}

    /** @throws SluiceException with the peer's rank where there is no way */
    public static void require(IbFacts own, IbFacts peer) {
        if (own.address().length != peer.address().length) {
            throw missing(own, peer, "one has an address of IPv4, the other of IPv6", null);
        }
        try (DatagramChannel socket = bound(own.address())) {
            if (socket != null) {
                lookUp(socket, own, peer);
            }
        } catch (IOException e) {
            // Closing a socket that has sent nothing.
            return;
        }
    }

    /**
     * @return null where the table says nothing about it: no interface has the address, or each has such a network of
     *     its own; or no socket is to be had, which matters to nobody else
     */
    private static DatagramChannel bound(byte[] address) throws IOException {
        InetAddress from = InetAddress.getByAddress(address);
        DatagramChannel socket = null;
        try {
            socket = from.isLinkLocalAddress() ? null : DatagramChannel.open();
            return socket == null ? null : socket.bind(new InetSocketAddress(from, 0));
        } catch (IOException | UnsupportedAddressTypeException e) {
            if (socket != null) {
                socket.close();
            }
            return null;
        }
    }

    private static void lookUp(DatagramChannel socket, IbFacts own, IbFacts peer) {
        try {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(peer.address()), peer.port()));
        } catch (IOException e) {
            throw missing(own, peer, e.getMessage(), e);
        }
    }

    private static SluiceException missing(IbFacts own, IbFacts peer, String why, Throwable cause) {
        return new SluiceException(
                ErrorCode.OPEN_FAILED,
                peer.rank(),
                "this machine has no way from " + own.where() + " to " + peer.where() + ", where rank " + peer.rank()
                        + " listens for verbs (" + why + "): both have to be on one network, or routed (ip route get); "
                        + Option.IB_DEVICE.property() + " and " + Option.IB_ADDRESS.property()
                        + " choose another adapter",
                cause);
    }
}
