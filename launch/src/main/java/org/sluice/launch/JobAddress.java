package org.sluice.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Where a job's server listens: at a socket in a folder of this user alone, or at a port that other nodes reach too,
 * with the secret that both sides know.
 *
 * @param text as the option has it
 * @param secret null where the address is a socket's path
 */
record JobAddress(String text, JobSecret secret) {
    /** Of EAGAIN. */
    private static final String NO_ROOM = "temporarily unavailable";

    private static final int HIGHEST_PORT = 65_535;
    private static final String LOCAL = "/";

    /**
     * Of a rank.
     *
     * @throws IllegalArgumentException where it is none, or the secret is missing
     */
    static JobAddress of(Options options) {
        String text = options.text(Option.JOB_ADDRESS);
        return text.startsWith(LOCAL)
                ? local(Path.of(text))
                : parse(text, null).with(JobSecret.ofFile(options.text(Option.JOB_SECRET_FILE)));
    }

    static JobAddress local(Path socket) {
        return new JobAddress(socket.toString(), null);
    }

    static JobAddress parse(String text, JobSecret secret) {
        if (port(text) < 1) {
            throw new IllegalArgumentException(Option.JOB_ADDRESS.property() + " = '" + text
                    + "': it must be host:port, or the path of a socket, as ./sluice run sets it");
        }
        return new JobAddress(text, secret);
    }

    private JobAddress with(JobSecret known) {
        return new JobAddress(text, known);
    }

    private static int port(String text) {
        try {
            int port = text.lastIndexOf(':') > 0 ? Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) : -1;
            return port > HIGHEST_PORT ? -1 : port;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private String host() {
        return text.substring(0, text.lastIndexOf(':'));
    }

    boolean isLocal() {
        return secret == null;
    }

    /** Whether nobody who listens there yet may do so later: on this machine the launcher is first. */
    boolean mayComeLater() {
        if (isLocal()) {
            return false;
        }
        InetAddress address = new InetSocketAddress(host(), port(text)).getAddress();
        return address == null || !address.isLoopbackAddress();
    }

    /**
     * No interrupt ends it, nor later a read or write, as the channel doesn't block: else an interrupt would close it,
     * and its rank be dead to others.
     *
     * @return null where a local launcher has no room for another now
     */
    SocketChannel connect(long endNanos) throws IOException {
        if (isLocal()) {
            String wrong = JobFolder.refuse(Path.of(text));
            if (!wrong.isEmpty()) {
                throw new IOException(wrong);
            }
        }
        SocketChannel channel = isLocal() ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        boolean connected = false;
        try {
            channel.configureBlocking(false);
            connected = begin(channel);
            if (!connected && !isLocal()) {
                finish(channel, endNanos);
                KeepAlive.between(channel);
                connected = true;
            }
            return connected ? channel : null;
        } finally {
            if (!connected) {
                channel.close();
            }
        }
    }

    /** @return whether it is connected; false where a local launcher has no room, which newer JVMs throw */
    private boolean begin(SocketChannel channel) throws IOException {
        try {
            return channel.connect(socketAddress());
        } catch (SocketException e) {
            if (isLocal() && String.valueOf(e.getMessage()).contains(NO_ROOM)) {
                return false;
            }
            throw e;
        }
    }

    private SocketAddress socketAddress() throws UnknownHostException {
        if (isLocal()) {
            return UnixDomainSocketAddress.of(text);
        }
        InetSocketAddress address = new InetSocketAddress(host(), port(text));
        if (address.isUnresolved()) {
            throw new UnknownHostException(host());
        }
        return address;
    }

    private void finish(SocketChannel channel, long endNanos) throws IOException {
        boolean interrupted = false;
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            while (!channel.finishConnect()) {
                long leftMs = ServerLine.leftMs(endNanos);
                if (leftMs <= 0) {
                    throw new SocketTimeoutException("it takes no connection");
                }
                selector.select(leftMs);
                selector.selectedKeys().clear();
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
