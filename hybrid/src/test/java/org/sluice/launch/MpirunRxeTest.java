package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs of mpirun over verbs: it has no word for a rank that closes, so each tells all others by connections. */
@Tag("long")
@Tag("verbs-deaths")
@Timeout(300)
final class MpirunRxeTest extends MpirunJobs {
    /**
     * Ranks 0 and 1 talk, rank 2 waits for rank 0 in vain, and nothing goes between ranks 1 and 2 before they close.
     */
    @Test
    void devicesCloseBetweenRanksThatNeverTalkedToo() throws Exception {
        assertEquals(0, run(List.of("-n", "3", "-x", "SLUICE_CHANNELS=ib"), java(RANKS, "close")), this::text);
        assertEquals(new TreeSet<>(List.of("rank 2 heard: PEER_CLOSED of 0")), lines("rank 2 heard"), this::text);
        assertEquals(
                new TreeSet<>(List.of("closed 0: 2 connections", "closed 1: 2 connections", "closed 2: 2 connections")),
                lines("closed"),
                this::text);
    }

    /** Nothing of the program ever went between these two, and Open MPI 4 tells nobody of a death. */
    @Test
    void theDeathOfARankThatNobodyTalkedToIsNoticed() throws Exception {
        List<String> options = new ArrayList<>(RECOVERY);
        options.addAll(List.of("-n", "2", "-x", "SLUICE_CHANNELS=ib"));
        assertEquals(0, run(options, java(RANKS, "vanish", "1", "signal")), this::text);
        assertEquals(new TreeSet<>(List.of("rank 0 heard: PEER_DEAD of 1")), lines("rank"), this::text);
    }
}
