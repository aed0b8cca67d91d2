package org.sluice.tcp.connect;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** What all sockets of this channel have in common. */
final class Sockets {
    /** Probes that may go unanswered, in the last third of the time. */
    private static final int PROBES = 3;

    private Sockets() {}

    static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more, whatever it says.
        }
    }

    /** @param keepAliveMs after which a silent machine is dead; 0: as the kernel has it */
    static void prepare(SocketChannel socket, long keepAliveMs) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (keepAliveMs > 0) {
            long seconds = Math.max(PROBES, TimeUnit.MILLISECONDS.toSeconds(keepAliveMs));
            long interval = Math.max(1, seconds / (2 * PROBES));
            set(socket, "TCP_KEEPIDLE", (int) Math.max(1, seconds - PROBES * interval));
            set(socket, "TCP_KEEPINTERVAL", (int) interval);
            set(socket, "TCP_KEEPCOUNT", PROBES);
        }
    }

    /** By name: they are of a module that a small runtime may leave out. */
    @SuppressWarnings("unchecked")
    private static void set(SocketChannel socket, String name, int value) throws IOException {
        for (SocketOption<?> option : socket.supportedOptions()) {
            if (option.name().equals(name)) {
                socket.setOption((SocketOption<Integer>) option, value);
            }
        }
    }
}
