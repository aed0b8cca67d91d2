package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.Request;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/**
 * A rank that waits for another in a collective says so by itself, whether it waits for a message or looks at a cell.
 */
@Tag("once")
final class StuckCollectiveTest {
    private static final int LATE_MS = 1_500;

    @ParameterizedTest(name = "after {0} barriers, {1}")
    @CsvSource({
        "0, stuck.report.ms, 'has waited for '",
        "8, stuck.report.ms, 'has waited for '",
        "8, dump.stuck.ms, 'a call has waited for more than 200 ms'"
    })
    void aLongWaitIsToldOf(int before, String option, String words) {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try (CommunicatorJob job = new CommunicatorJob(2, Place.THREADS, Map.of("sluice." + option, "200"))) {
            job.run(world -> {
                for (int i = 0; i < before; i++) {
                    world.barrier();
                }
                if (world.rank() == 1) {
                    Thread.sleep(LATE_MS);
                }
                world.barrier();
            });
        } finally {
            System.setErr(err);
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(words), text);
        assertTrue(text.contains("barrier of world"), text);
    }

    /** Its peer is in a collective, whose messages are none that a receive could match. */
    @Test
    void whoReceivesFromOneThatIsInACollectiveIsNotSentToItsTags() {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        Map<String, String> options =
                Map.of("sluice.stuck.report.ms", "200", "sluice.mpi.algorithm.barrier", "dissemination");
        try (CommunicatorJob job = new CommunicatorJob(2, Place.THREADS, options)) {
            job.run(world -> {
                if (world.rank() == 0) {
                    world.recv(new int[1], 1, 7);
                    world.barrier();
                } else {
                    Request barrier = world.ibarrier();
                    Thread.sleep(LATE_MS);
                    world.send(new int[1], 0, 7);
                    barrier.waitFor();
                }
            });
        } finally {
            System.setErr(err);
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("All that came from rank 1 and that no receive has matched, 1, is of other"), text);
        assertFalse(text.contains("look at tags"), text);
    }
}
