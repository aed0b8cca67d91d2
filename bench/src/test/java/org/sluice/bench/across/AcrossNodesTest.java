package org.sluice.bench.across;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AcrossNodesTest {
    private static String refused(Map<String, String> environment) {
        return assertThrows(IllegalArgumentException.class, () -> AcrossNodes.join(environment))
                .getMessage();
    }

    @Test
    void whoIsAloneIsToldHowToStartSeveral() {
        String job = refused(Map.of());
        assertTrue(job.contains("this process is alone") && job.contains("--ntasks-per-node=1"), job);
        String bare = refused(Map.of(AcrossNodes.NODES, "2", AcrossNodes.NODE, "0"));
        assertTrue(bare.contains(AcrossNodes.SECRET), bare);
        String guest = refused(Map.of(AcrossNodes.NODES, "1", AcrossNodes.NODE, "0"));
        assertTrue(guest.contains("there is one guest") && guest.contains("--nodes 2"), guest);
    }

    @Test
    void eachProcessIsOnANodeOfItsOwn() {
        String[] first = {"node1", "boot1", "secret"};
        String[] second = {"node2", "boot1", "4000", "10.0.0.2"};
        assertDoesNotThrow(() -> AcrossNodes.checkApart(List.of(first, second)));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> AcrossNodes.checkApart(List.of(first, second, second)))
                .getMessage();
        assertTrue(message.contains("two of the job's 3 processes are on node2"), message);
    }

    @Test
    void networksAreNamedByInterfaceOrByAddress() throws IOException {
        InetAddress address = InetAddress.getByName("10.1.2.3");
        assertTrue(Networks.parse(null).have(address));
        assertTrue(Networks.parse("auto").have(address));
        assertTrue(Networks.parse("10.1.0.0/16").have(address));
        assertFalse(Networks.parse("10.2.0.0/16").have(address));
        assertTrue(Networks.parse("lo").have(InetAddress.getByName("127.0.0.9")));
        assertFalse(Networks.parse("lo,10.2.0.0/16").have(address));
        assertFalse(Networks.parse("auto").have(InetAddress.getByName("fd00::1")), "IPv4 alone");
        String message = assertThrows(IllegalArgumentException.class, () -> Networks.parse("no0"))
                .getMessage();
        assertTrue(message.contains("SLUICE_TCP_INTERFACE=no0"), message);
    }
}
