package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/**
 * kill -9 of a rank while it and the others open over verbs: they fail with its number, or, where they are through
 * already, what they ask of it does.
 */
@Tag("long")
@Tag("verbs-deaths")
@Timeout(300)
final class OpeningDeathRxeTest {
    /** Of three: one asks it for a connection, and it asks the other, where all connect from the start. */
    private static final int VICTIM = 1;

    private static final long PATIENCE_MS = 60_000L * RankJvms.PATIENCE;
    /** Until the others have been told. What they wait for themselves takes longer. */
    private static final long TOLD_MS = 30_000;

    private static final long OWN_TIME_MS = 200_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms()
            .option(Option.CHANNELS, "ib")
            .option(Option.OPEN_TIMEOUT_MS, OWN_TIME_MS)
            .option(Option.IB_CONNECT_TIMEOUT_MS, OWN_TIME_MS);

    /** The adapter is open: it has said where it listens, and waits for the others to know it, or is about to. */
    @ParameterizedTest
    @CsvSource({"all, rank 7"})
    void whoOpensWithItFailsWithItsNumber(String connect, String step) throws Exception {
        killAtStep(connect, step);
    }

    @ParameterizedTest
    @CsvSource({"demand, rank 5", "demand, rank 7", "all, rank 6", "all, server 3"})
    @Tag("all")
    void atEachStepWhoOpensWithItFailsWithItsNumber(String connect, String step) throws Exception {
        killAtStep(connect, step);
    }

    private void killAtStep(String connect, String step) throws Exception {
        ranks.option(Option.IB_CONNECT, connect).job(3);
        try (FrameGate gate = ranks.gate(VICTIM, step)) {
            for (int rank = 0; rank < 3; rank++) {
                ranks.start(rank, OpeningRanks.class);
            }
            gate.awaitStep(PATIENCE_MS);
            ranks.killByLauncher(VICTIM);
            for (int rank : new int[] {0, 2}) {
                String failure = ranks.rank(rank).await("failed OPEN_FAILED", TOLD_MS);
                assertTrue(failure.contains("rank " + VICTIM + " died"), failure);
                assertEquals(3, ranks.rank(rank).exit(PATIENCE_MS));
            }
        }
    }

    /**
     * All have what the others need to know, and the last word of the launcher, that all are there, doesn't reach the
     * one that dies.
     *
     * @param stopped it doesn't answer who connects with it, as its helper would
     */
    @ParameterizedTest
    @CsvSource({"all, true"})
    void whoIsThroughAndConnectsWithItIsToldItsNumberAndGoesOn(String connect, boolean stopped) throws Exception {
        killAtTheEnd(connect, stopped);
    }

    @ParameterizedTest
    @CsvSource({"all, false", "demand, true", "demand, false"})
    @Tag("all")
    void whoeverConnectsWithItIsToldItsNumberAndGoesOn(String connect, boolean stopped) throws Exception {
        killAtTheEnd(connect, stopped);
    }

    private void killAtTheEnd(String connect, boolean stopped) throws Exception {
        String step = "server 4";
        ranks.option(Option.IB_CONNECT, connect).job(3);
        try (FrameGate first = ranks.gate(0, step);
                FrameGate gate = ranks.gate(VICTIM, step);
                FrameGate last = ranks.gate(2, step)) {
            for (int rank = 0; rank < 3; rank++) {
                ranks.start(rank, OpeningRanks.class, Integer.toString(VICTIM));
            }
            for (FrameGate each : new FrameGate[] {first, gate, last}) {
                each.awaitStep(PATIENCE_MS);
            }
            if (stopped) {
                ranks.rank(VICTIM).signal("STOP");
            }
            first.open();
            last.open();
            ranks.rank(0).await("opened after", PATIENCE_MS);
            ranks.rank(2).await("opened after", PATIENCE_MS);
            // Into the middle of their connecting.
            Thread.sleep(300);
            ranks.killByLauncher(VICTIM);
            for (int rank : new int[] {0, 2}) {
                for (String call : new String[] {"receive", "send"}) {
                    String failure = ranks.rank(rank).await(call + " failed", TOLD_MS);
                    assertTrue(failure.startsWith("PEER_DEAD " + VICTIM + " "), failure);
                }
                ranks.rank(rank).await("ok", PATIENCE_MS);
                assertEquals(0, ranks.rank(rank).exit(PATIENCE_MS));
            }
        }
    }
}
