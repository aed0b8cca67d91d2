package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random traffic through a queue and through shared memory at once. */
@Timeout(400)
final class StormProcessTest {
    @RegisterExtension
    final RankJvms jvms = new RankJvms();

    @Test
    void whatComesByTwoChannelsArrivesWholeAndInOrder() throws Exception {
        storm(200, 0);
    }

    @Test
    @Tag("long")
    void muchComesByTwoChannels() throws Exception {
        storm(10_000, 0);
    }

    @Test
    @Tag("long")
    void muchComesByTwoChannelsForMinutes() throws Exception {
        storm(500, 180);
    }

    private void storm(int messages, int seconds) throws Exception {
        jvms.job(3);
        Storms storms = new Storms(jvms, messages, seconds);
        storms.start(0, 2);
        storms.start(2, 1);
        storms.expect(0, "sluice: rank 0 of 3 reaches rank 1 by threads, rank 2 by shm");
        storms.end();
    }
}
