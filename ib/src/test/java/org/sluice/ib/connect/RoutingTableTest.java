package org.sluice.ib.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.ib.IbFacts;

final class RoutingTableTest {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    /** Of a block that is kept for documents. */
    private static final byte[] NOWHERE = {(byte) 203, 0, 113, 7};

    private static IbFacts facts(int rank, byte[] address, int port) {
        return new IbFacts(rank, address, port, UUID.randomUUID(), UUID.randomUUID(), 8192, 16, true);
    }

    @Test
    void aPeerOnANetworkWithoutAWayIsRefusedWithItsRankAndBothAddresses() {
        SluiceException refused = assertThrows(
                SluiceException.class, () -> RoutingTable.require(facts(0, LOOPBACK, 7), facts(3, NOWHERE, 8)));
        assertEquals(ErrorCode.OPEN_FAILED, refused.code());
        assertEquals(3, refused.peer());
        String told = refused.getMessage();
        assertTrue(told.contains("no way from 127.0.0.1 port 7 to 203.0.113.7 port 8, where rank 3 listens"), told);
        assertTrue(told.contains("sluice.ib.address"), told);
    }

    @Test
    void noPacketGoesToAPeerThatIsThere() throws IOException {
        try (DatagramChannel there =
                DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0))) {
            there.configureBlocking(false);
            RoutingTable.require(
                    facts(0, LOOPBACK, 7), facts(1, LOOPBACK, ((InetSocketAddress) there.getLocalAddress()).getPort()));
            assertEquals(null, there.receive(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void addressesOfTwoKindsDoNotMeet() {
        String told = assertThrows(
                        SluiceException.class,
                        () -> RoutingTable.require(facts(0, LOOPBACK, 7), facts(1, new byte[16], 8)))
                .getMessage();
        assertTrue(told.contains("one has an address of IPv4, the other of IPv6"), told);
    }

    /** Another machine's; the connection manager decides. */
    @Test
    void anAddressOfNoInterfaceIsNotJudged() {
        RoutingTable.require(facts(0, NOWHERE, 7), facts(1, LOOPBACK, 8));
    }
}
