package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.sim.SimulatedVerbs;

/** Whether something goes over the channel is known from what it did, between polls and between looks at the peers. */
final class TrafficTest {
    @Test
    void whatIsNotedIsNewUntilAPollAndRecentForTwoLooks() {
        Traffic traffic = new Traffic();
        assertFalse(traffic.isNew());
        assertFalse(traffic.isRecent());
        traffic.note();
        assertTrue(traffic.isNew());
        traffic.polled();
        assertFalse(traffic.isNew());
        traffic.look();
        assertTrue(traffic.isRecent());
        traffic.look();
        assertFalse(traffic.isRecent());
    }

    @Test
    void whoSendsWantsAPollAndWhoeverOnlyWaitsDoesNot() {
        SimulatedVerbs simulated = new SimulatedVerbs();
        TestRank[] ranks = {VerbsRanks.rank(0, 2, VerbsRanks.options(Map.of()), simulated, null),
            VerbsRanks.rank(1, 2, VerbsRanks.options(Map.of()), simulated, null)};
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        for (TestRank each : ranks) {
            assertTrue(each.channel.isPollCostly());
            each.drive();
            each.drive();
        }
        assertFalse(ranks[0].channel.wantsPoll());
        ranks[0].send(1, 7, new byte[8]);
        assertTrue(ranks[0].channel.wantsPoll());
        assertEquals(7, ranks[1].receive().tag());
        assertTrue(ranks[1].channel.wantsPoll(), "more may follow what has come");
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
        }
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }
}
