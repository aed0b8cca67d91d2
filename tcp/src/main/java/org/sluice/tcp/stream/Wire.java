package org.sluice.tcp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import javax.net.ssl.SSLEngine;

/**
 * What a connection reads from and writes to: a socket, or TLS over one. Without TLS bytes go between the caller's
 * buffers and the kernel.
 *
 * <p><i>Thread</i>: one that reads and one that writes. <i>Lends</i>: its socket. <i>Proof</i>: {@code TcpChannelTest},
 * {@code TlsChannelTest}.
 */
public final class Wire {
    private final SocketChannel socket;
    /** Null without TLS. */
    private final TlsLayer tls;

    public Wire(SocketChannel socket) {
        this.socket = socket;
        this.tls = null;
    }

    /** With TLS. */
    public Wire(SocketChannel socket, SSLEngine engine, Blocks blocks) {
        this.socket = socket;
        this.tls = new TlsLayer(socket, engine, blocks);
    }

    public SocketChannel socket() {
        return socket;
    }

    /**
     * Goes on with what comes before the first byte, as far as it can without waiting.
     *
     * @return whether bytes may go
     */
    public boolean handshake() throws IOException {
        return tls == null || tls.handshake();
    }

    /** Whose key the peer has shown that it has; null without TLS. */
    public Certificate peer() throws IOException {
        return tls == null ? null : tls.peer();
    }

    /**
     * As a socket reads: where room is left no more was there.
     *
     * @return how much; -1 at the end
     */
    public int read(ByteBuffer into) throws IOException {
        return tls == null ? socket.read(into) : tls.read(into);
    }

    /** Whether {@link #read} would bring something that the socket doesn't have any more. */
    public boolean hasMore() {
        return tls != null && tls.hasMore();
    }

    /**
     * Takes of the first {@code count} what it can, in order; also what it had taken before goes on.
     *
     * @return how much the socket took
     */
    public long write(ByteBuffer[] buffers, int count) throws IOException {
        if (tls != null) {
            return tls.write(buffers, count);
        }
        return count == 1 ? socket.write(buffers[0]) : socket.write(buffers, 0, count);
    }

    /** Whether it has taken what the socket did not take yet. */
    public boolean isUnsent() {
        return tls != null && tls.isUnsent();
    }

    /** The peer sees that nothing follows. */
    void endOutput() throws IOException {
        try {
            if (tls != null) {
                tls.endOutput();
            }
        } finally {
            socket.shutdownOutput();
        }
    }

    /** Gives back what it keeps for the reader, who doesn't come again. */
    public void closeInput() {
        if (tls != null) {
            tls.closeInput();
        }
    }

    /** Gives back what it keeps for the writer, who doesn't come again. */
    public void closeOutput() {
        if (tls != null) {
            tls.closeOutput();
        }
    }
}
