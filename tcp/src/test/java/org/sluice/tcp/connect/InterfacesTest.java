package org.sluice.tcp.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;

/** Which addresses of a machine are taken, and which of a peer's come first. */
final class InterfacesTest {
    private static final List<Interfaces.Own> THERE = List.of(
            own("127.0.0.1", 8, "lo"),
            own("10.1.2.3", 16, "eth0"),
            own("192.168.7.1", 24, "eth1"),
            own("fd00:1::5", 64, "eth1"));

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static Interfaces.Own own(String address, int prefix, String name) {
        return new Interfaces.Own(address(address), prefix, name);
    }

    private static String chosen(String wish) {
        return text(Interfaces.of(wish, "given", THERE).addresses());
    }

    private static String text(List<InetAddress> addresses) {
        return addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(" "));
    }

    @Test
    void allButTheOwnMachinesAreTakenWhereNothingIsSaid() {
        assertEquals("10.1.2.3 192.168.7.1 fd00:1:0:0:0:0:0:5", chosen("auto"));
    }

    @Test
    void namesNetworksAndAddressesChoose() {
        assertEquals("10.1.2.3", chosen("eth0"));
        assertEquals("192.168.7.1 fd00:1:0:0:0:0:0:5", chosen("eth1"));
        assertEquals("10.1.2.3", chosen("10.0.0.0/8"));
        assertEquals("fd00:1:0:0:0:0:0:5", chosen("fd00::/16"));
        assertEquals("192.168.7.1 10.1.2.3", chosen("192.168.7.1, eth0"));
        assertEquals("127.0.0.1", chosen("127.0.0.1"));
    }

    @Test
    void whatIsNotThereIsRefusedWithWhatIs() {
        for (String wish : new String[] {"eth9", "10.2.0.0/16", "10.1.2.3/x", "10.1.2.3/99", "300.1.1.1", ""}) {
            String refusal =
                    assertThrows(SluiceException.class, () -> chosen(wish)).getMessage();
            assertTrue(refusal.contains("'" + wish + "'"), refusal);
            assertTrue(refusal.contains("eth0 10.1.2.3/16, eth1 192.168.7.1/24"), refusal);
        }
    }

    @Test
    void aMachineWithoutANetworkSaysSo() {
        String refusal = assertThrows(SluiceException.class, () -> Interfaces.of("auto", "default", List.of()))
                .getMessage();
        assertTrue(refusal.contains("no network interface of this machine is up"), refusal);
    }

    @Test
    void aPeersAddressesInTheSameNetworkComeFirstAndTheOwnLast() {
        assertEquals(
                "192.168.7.9 172.17.0.1 10.1.2.3",
                text(Interfaces.of("auto", "given", THERE)
                        .order(List.of(address("172.17.0.1"), address("10.1.2.3"), address("192.168.7.9")))));
    }
}
