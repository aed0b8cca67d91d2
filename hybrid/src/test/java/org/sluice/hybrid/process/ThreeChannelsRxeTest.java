package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random traffic through all three channels at once, each pair by the fastest that reaches it, with no option that says
 * so.
 */
@Tag("long")
@Tag("verbs-deaths")
@Timeout(600)
final class ThreeChannelsRxeTest {
    @RegisterExtension
    final RankJvms jvms = new RankJvms();

    @Test
    void whatComesByThreeChannelsArrivesWholeAndInOrder() throws Exception {
        storm(20, 0);
    }

    @Test
    @Tag("long")
    void muchComesByThreeChannelsForMinutes() throws Exception {
        storm(100, 200);
    }

    private void storm(int messages, int seconds) throws Exception {
        jvms.job(5);
        Storms storms = new Storms(jvms, messages, seconds);
        storms.start(0, 2);
        storms.start(2, 1);
        storms.startApart(3, 2);
        String apart = "another " + jvms.segments() + " (device ";
        storms.expect(
                0,
                "sluice: rank 0 of 5 reaches rank 1 by threads, rank 2 by shm, ranks 3, 4 by ib; no shm to ranks 3, 4: "
                        + apart);
        storms.expect(
                0,
                "sluice: rank 1 of 5 reaches rank 0 by threads, rank 2 by shm, ranks 3, 4 by ib; no shm to ranks 3, 4: "
                        + apart);
        storms.expect(
                2, "sluice: rank 2 of 5 reaches ranks 0, 1 by shm, ranks 3, 4 by ib; no shm to ranks 3, 4: " + apart);
        storms.expect(
                3,
                "sluice: rank 3 of 5 reaches rank 4 by threads, ranks 0 to 2 by ib; no shm to ranks 0 to 2: " + apart);
        storms.end();
    }
}
