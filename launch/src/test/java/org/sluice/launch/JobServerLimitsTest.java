package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.launch.JobServerTest.greeted;
import static org.sluice.launch.JobServerTest.refusal;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.SluiceException;

/** What ranks could make the job's server keep, each without end. */
@Timeout(60)
final class JobServerLimitsTest {
    private static final long PATIENCE_MS = 20_000;
    private static final byte[] LARGE = new byte[Bootstrap.VALUE_LIMIT_BYTES];
    private static final byte[] PUT =
            new Frame.Writer(Frame.PUT).text("k").bytes(LARGE).finish();
    private static final byte[] FENCE =
            new Frame.Writer(Frame.FENCE).longNumber(PATIENCE_MS).finish();
    private static final String TOO_MUCH =
            "values of 4194372 bytes, with their keys and 16 for each, without a fence; 4194304 are allowed between"
                    + " two";

    @Test
    void aRankPutsSoMuchBetweenTwoFences() {
        try (JobServer server = JobServer.start(1);
                JobBootstrap rank = JobBootstrap.connect(server.address(), 0, 1, PATIENCE_MS)) {
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 3; i++) {
                    rank.put("k", LARGE);
                }
                assertEquals(
                        TOO_MUCH,
                        assertThrows(IllegalArgumentException.class, () -> rank.put("k", LARGE))
                                .getMessage());
                rank.put("k", new byte[Bootstrap.VALUE_LIMIT_BYTES - 4 * 17]);
                rank.fence(PATIENCE_MS);
            }
        }
    }

    @Test
    void theServerTakesNoMoreThanThat() throws Exception {
        try (JobServer server = JobServer.start(2);
                UnixSocket socket = greeted(server, 0, 2)) {
            for (int i = 0; i < 4; i++) {
                socket.getOutputStream().write(PUT);
            }
            assertEquals(TOO_MUCH, refusal(socket));
        }
    }

    @Test
    void norFromAllTogetherThanTheAnswerToAFenceHoldsThatRanksRead() throws Exception {
        JobRound round = new JobRound(100);
        // Each value is the same array: it is the count that matters.
        for (int rank = 0; rank < 85; rank++) {
            round.put(rank, "a", LARGE);
            round.put(rank, "b", LARGE);
            round.put(rank, "c", LARGE);
        }
        assertEquals(
                "the ranks' values of 268439808 bytes before one fence; 268434432 are allowed in all",
                assertThrows(Frame.Malformed.class, () -> round.put(85, "a", LARGE))
                        .getMessage());
        round.put(85, "a", new byte[100]);
    }

    /** A rank goes into the next round with each, where others never come. */
    @Tag("all")
    @Test
    void aRankOpensAndClosesAloneSoOften() {
        try (JobServer server = JobServer.start(2)) {
            for (int i = 0; i < JobRound.MOST; i++) {
                JobBootstrap.connect(server.address(), 0, 2, PATIENCE_MS).close();
            }
            String refused = assertThrows(
                            SluiceException.class, () -> JobBootstrap.connect(server.address(), 0, 2, PATIENCE_MS))
                    .getMessage();
            assertTrue(
                    refused.contains(
                            "rank 0 has opened and closed 1024 devices to which not all ranks of this job came"),
                    refused);
            JobBootstrap.connect(server.address(), 1, 2, PATIENCE_MS).close();
            JobBootstrap.connect(server.address(), 0, 2, PATIENCE_MS).close();
        }
    }

    @Test
    void aRankThatTakesNoAnswersGetsNoMore() throws Exception {
        try (JobServer server = JobServer.start(1);
                UnixSocket socket = greeted(server, 0, 1)) {
            assertThrows(IOException.class, () -> {
                for (int i = 0; i < 64; i++) {
                    socket.getOutputStream().write(PUT);
                    socket.getOutputStream().write(FENCE);
                }
            });
        }
    }
}
