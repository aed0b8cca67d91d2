package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.DeviceProvider;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;

/** How a rank finds its job, and what is said when it can't. */
@Timeout(60)
final class JobTest {
    private static Options options(Map<String, String> given) {
        return Options.of(given, Map.of(), Map.of());
    }

    private static String contradiction(Map<String, String> given) {
        return assertThrows(IllegalArgumentException.class, () -> Job.find(options(given), 0))
                .getMessage()
                .replaceAll("; ./sluice run sets them all.*", "");
    }

    @Test
    void withoutALauncherItIsRankZeroOfOne() {
        Job job = Job.find(options(Map.of()), DeviceProvider.RANK_OF_CALLER);
        assertEquals(0, job.rank());
        assertEquals(1, job.size());
        Bootstrap bootstrap = job.bootstrap();
        bootstrap.put("key", new byte[] {1});
        assertNull(bootstrap.get(0, "key"));
        bootstrap.fence(1);
        assertArrayEquals(new byte[] {1}, bootstrap.get(0, "key"));
        bootstrap.close();
        assertNotEquals(job.id(), Job.find(options(Map.of()), 0).id());
    }

    @Test
    void aRankOfAnotherJvmIsRefused() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> Job.find(options(Map.of()), 1));
        assertEquals("rank 1 does not live in this JVM, which holds rank 0", refused.getMessage());
    }

    @Test
    void contradictionsAreRefusedWithTheirOrigins() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> Job.find(options(Map.of("sluice.job.size", "4")), 0));
        assertTrue(
                refused.getMessage()
                        .startsWith(
                                "sluice.job.size = 4 (given to open) names a job of 4 ranks, but SLUICE_JOB_ADDRESS is"
                                        + " missing: host:port of the launcher"),
                refused.getMessage());
        assertEquals(
                "sluice.job.rank = 1 (given to open) is too high: sluice.job.size = 1 (default) allows 0 to 0",
                contradiction(Map.of("sluice.job.rank", "1")));
        assertEquals(
                "sluice.job.rank = 3 (given to open) is too high: sluice.job.size = 3 (given to open) allows 0 to 2",
                contradiction(
                        Map.of("sluice.job.rank", "3", "sluice.job.size", "3", "sluice.job.address", "localhost:1")));
        assertEquals(
                "sluice.job.jvm.ranks = 2 (given to open) is too high: from sluice.job.rank = 2 (given to open) on,"
                        + " sluice.job.size = 3 (given to open) allows 1 to 1",
                contradiction(Map.of(
                        "sluice.job.jvm.ranks",
                        "2",
                        "sluice.job.rank",
                        "2",
                        "sluice.job.size",
                        "3",
                        "sluice.job.address",
                        "localhost:1")));
        Map<String, String> badAddress = Map.of("sluice.job.address", "localhost");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Job.find(options(badAddress), 0))
                .getMessage()
                .contains("host:port"));
    }

    @Test
    void severalRanksOfOneJvmOpenByNumber() {
        try (JobServer server = JobServer.start(2)) {
            Options options = options(server.options(0, 2));
            assertThrows(IllegalStateException.class, () -> Job.find(options, DeviceProvider.RANK_OF_CALLER));
            Job zero = Job.find(options, 0);
            Job one = Job.find(options, 1);
            assertEquals(zero.id(), one.id());
            assertEquals(2, one.jvmRanks());
            assertThrows(SluiceException.class, () -> Job.find(options, 1));
            zero.bootstrap().close();
            one.bootstrap().close();
        }
    }

    @Test
    void aThreadOfARanksGroupIsThatRank() throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Options options = options(server.options(0, 2));
            Map<Integer, Integer> found = new HashMap<>();
            for (int rank = 0; rank < 2; rank++) {
                int group = rank;
                Thread thread = new Thread(new RankGroup(rank), () -> {
                    Job job = Job.find(options, DeviceProvider.RANK_OF_CALLER);
                    found.put(group, job.rank());
                    job.bootstrap().close();
                });
                thread.start();
                thread.join();
            }
            assertEquals(Map.of(0, 0, 1, 1), found);
        }
    }

    /** Virtual threads have none unless they are given one. */
    @Test
    void aThreadWithoutANameThatBelongsToNoRankIsSpokenOfAsSuch() throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Options options = options(server.options(0, 2));
            CompletableFuture<String> refused = new CompletableFuture<>();
            new Thread(
                            null,
                            () -> refused.complete(assertThrows(
                                            IllegalStateException.class,
                                            () -> Job.find(options, DeviceProvider.RANK_OF_CALLER))
                                    .getMessage()),
                            "")
                    .start();
            assertEquals(
                    "a thread without a name belongs to none of the ranks of this JVM, which holds ranks 0 to 1: "
                            + "use Device.open(rank)",
                    refused.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void anAbandonedAddressIsExplained() {
        Map<String, String> old;
        try (JobServer server = JobServer.start(1)) {
            old = server.options(0, 1);
        }
        SluiceException refused = assertThrows(SluiceException.class, () -> Job.find(options(old), 0));
        assertTrue(refused.getMessage().contains("SLUICE_JOB_ADDRESS is left over"), refused.getMessage());
    }
}
