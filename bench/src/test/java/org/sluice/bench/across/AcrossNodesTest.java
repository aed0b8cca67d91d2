package org.sluice.bench.across;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        String guest = refused(Map.of(AcrossNodes.NODES, "1", AcrossNodes.NODE, "0"));
        assertTrue(guest.contains("there is one guest") && guest.contains("--nodes 2"), guest);
    }

    @Test
    void eachProcessIsOnANodeOfItsOwn() {
        String[] first = {"node1", "secret"};
        String[] second = {"node2", "4000", "10.0.0.2"};
        assertDoesNotThrow(() -> AcrossNodes.checkApart(List.of(first, second)));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> AcrossNodes.checkApart(List.of(first, second, second)))
                .getMessage();
        assertTrue(message.contains("two of the job's 3 processes are on node2"), message);
    }
}
