package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.sim.SimulatedVerbs;

/** Whether something goes over the channel is known from what it did, between polls and between looks at the peers. */
final class TrafficTest {
    @Test
    void whatIsNotedIsNewUntilAPoll() {
        Traffic traffic = new Traffic();
        assertFalse(traffic.isNew());
        traffic.note(0);
        assertTrue(traffic.isNew());
        traffic.polled();
        assertFalse(traffic.isNew());
    }

    @Test
    void longIsWhatBringsManyBytesAUseUntilTheSecondLookAfterIt() {
        Traffic traffic = new Traffic();
        assertFalse(traffic.isLong(), "nothing was noted");
        traffic.note(8);
        assertFalse(traffic.isLong());
        traffic.note(65536);
        assertTrue(traffic.isLong());
        traffic.look();
        traffic.look();
        assertFalse(traffic.isLong(), "nothing was noted since");
        traffic.note(16, 16 * Traffic.LONG_BYTES - 1);
        assertFalse(traffic.isLong());
        traffic.note(Traffic.LONG_BYTES + 1);
        assertTrue(traffic.isLong());
        traffic.look();
        assertTrue(traffic.isLong());
        for (int i = 0; i < 100; i++) {
            traffic.note(40);
        }
        assertFalse(traffic.isLong(), "one that is long among many short ones");
    }

    @Test
    void whoSendsWantsAPollAndWhoeverOnlyWaitsDoesNot() {
        SimulatedVerbs simulated = new SimulatedVerbs();
        TestRank[] ranks = {
            VerbsRanks.rank(0, 2, VerbsRanks.options(Map.of()), simulated, null),
            VerbsRanks.rank(1, 2, VerbsRanks.options(Map.of()), simulated, null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        for (TestRank each : ranks) {
            assertNotNull(each.channel.pacing());
            each.drive();
            each.drive();
        }
        assertFalse(ranks[0].channel.pacing().wantsPoll());
        ranks[0].send(1, 7, new byte[8]);
        assertTrue(ranks[0].channel.pacing().wantsPoll());
        assertEquals(7, ranks[1].receive().tag());
        assertTrue(ranks[1].channel.pacing().wantsPoll(), "more may follow what has come");
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
        }
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }
}
