package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;

/** Sockets of Java, whose descriptors it doesn't tell. */
final class OsSocketsTest {
    private final OsCalls os = Os.calls();

    private static byte[] ends(SocketChannel socket) throws IOException {
        ByteBuffer ends = ByteBuffer.allocate(OsCalls.ENDS_BYTES);
        for (var address : new Object[] {socket.getLocalAddress(), socket.getRemoteAddress()}) {
            InetSocketAddress end = (InetSocketAddress) address;
            ends.put(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1});
            ends.put(end.getAddress().getAddress()).putShort((short) end.getPort());
        }
        return ends.array();
    }

    @Test
    void findsASocketByItsEndsAndReadsWhatTcpSentAgain() throws Exception {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
                SocketChannel one = SocketChannel.open(server.getLocalAddress());
                SocketChannel other = server.accept()) {
            int found = os.findSocket(ends(one));
            assertTrue(found >= 0, Errno.describe("findSocket", found));
            assertTrue(Files.readSymbolicLink(Path.of("/proc/self/fd/" + found))
                    .toString()
                    .startsWith("socket:"));
            assertNotEquals(found, os.findSocket(ends(other)));
            assertEquals(0, os.tcpRetransmits(found, ends(one)));
            assertEquals(-Errno.ENOENT, os.tcpRetransmits(found, ends(other)));
            byte[] before = ends(one);
            one.close();
            assertEquals(-Errno.ENOENT, os.findSocket(before));
            assertEquals(-Errno.ENOENT, os.tcpRetransmits(found, before));
        }
    }

    @Test
    void refusesWhatNoEndsAre() {
        assertEquals(-Errno.EINVAL, os.findSocket(null));
        assertEquals(-Errno.EINVAL, os.findSocket(new byte[OsCalls.ENDS_BYTES + 1]));
        assertEquals(-Errno.EINVAL, os.tcpRetransmits(0, new byte[0]));
        assertEquals(-Errno.ENOENT, os.tcpRetransmits(-1, new byte[OsCalls.ENDS_BYTES]));
    }
}
