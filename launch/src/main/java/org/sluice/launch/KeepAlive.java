package org.sluice.launch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * Has the kernel ask for signs of life on a connection to another node: a machine that was powered off says nothing any
 * more, not even that. It is given up {@value #FOUND_WITHIN_S} seconds after its last word.
 */
final class KeepAlive {
    private static final int IDLE_S = 5;
    private static final int INTERVAL_S = 2;
    private static final int TRIES = 5;
    static final int FOUND_WITHIN_S = IDLE_S + INTERVAL_S * TRIES;

    private KeepAlive() {}

    /** Nothing where both ends are on this machine: they end together, and idle ones are not to be woken. */
    static void between(SocketChannel channel) throws IOException {
        if (!isHere((InetSocketAddress) channel.getRemoteAddress())) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, TRIES);
        }
    }

    private static boolean isHere(InetSocketAddress peer) {
        return peer == null || peer.getAddress().isLoopbackAddress();
    }
}
