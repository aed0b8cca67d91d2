package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;
import org.sluice.launch.JobServer;

/**
 * A close gives back at once what lies in the folder of segments, which in a container is 64 MB, whatever the program
 * still holds.
 */
@Tag("once")
@Timeout(120)
final class ReopeningProcessTest {
    private static final long PATIENCE_MS = 60_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void twoProcessesOpenAndClose() throws Exception {
        try (SmallFolder folder = SmallFolder.mount("64m")) {
            ranks.option(Option.SHM_DIR, folder.path()).startAll(2, ReopeningRanks.class);
            ranks.allEndWell(PATIENCE_MS);
            assertEquals(List.of(), folder.files());
        }
    }

    @Tag("all")
    @Test
    void twoThreadsOpenAndClose() throws Exception {
        try (SmallFolder folder = SmallFolder.mount("64m");
                JobServer server = JobServer.start(2)) {
            CompletableFuture<?>[] both = new CompletableFuture<?>[2];
            for (int rank = 0; rank < 2; rank++) {
                int self = rank;
                Map<String, String> options = new HashMap<>(server.options(0, 2));
                options.put(Option.SHM_DIR.property(), folder.path().toString());
                options.put(Option.CHANNELS.property(), "shm");
                both[rank] = CompletableFuture.runAsync(
                        () -> ReopeningRanks.run(self, options), task -> new Thread(task, "rank " + self).start());
            }
            CompletableFuture.allOf(both).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            assertEquals(List.of(), folder.files());
        }
    }
}
