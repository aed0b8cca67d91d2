package org.sluice.launch;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A socket of this machine with streams, as the JDK has it for networks alone: the JDK's streams of a channel wait for
 * each other.
 *
 * <p><i>Thread</i>: one reads, one writes. <i>Owns</i>: the channel.
 */
public final class UnixSocket implements Closeable {
    private final SocketChannel channel;

    private UnixSocket(SocketChannel channel) {
        this.channel = channel;
    }

    /** @param path as the option sluice.job.address has it */
    public static UnixSocket connect(String path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(path));
        return new UnixSocket(channel);
    }

    /** Listens in a folder of its own. */
    public static final class Server implements Closeable {
        private final Path socket;
        private final ServerSocketChannel channel;

        public Server(int backlog) throws IOException {
            // Of this user alone, as the JDK makes them.
            socket = Files.createTempDirectory("sluice-test-").resolve("socket");
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(socket), backlog);
        }

        /** For the option sluice.job.address. */
        public String address() {
            return socket.toString();
        }

        public UnixSocket accept() throws IOException {
            return new UnixSocket(channel.accept());
        }

        @Override
        public void close() throws IOException {
            channel.close();
            Files.deleteIfExists(socket);
            Files.deleteIfExists(socket.getParent());
        }
    }

    public boolean isConnected() {
        return channel.isConnected();
    }

    public InputStream getInputStream() {
        return new In();
    }

    public OutputStream getOutputStream() {
        return new Out();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private final class In extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(into, offset, length));
        }
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            for (ByteBuffer left = ByteBuffer.wrap(from, offset, length); left.hasRemaining(); ) {
                channel.write(left);
            }
        }
    }
}
