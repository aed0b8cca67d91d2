package org.sluice.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class TopTableTest {
    private static final String JOB = "0123456789abcdef";

    private static Sample sample(long nanos, int rank, long messages) {
        return new Sample(
                nanos,
                10 + rank,
                rank,
                4,
                JOB,
                5,
                7,
                List.of(
                        new Sample.Peer(0, "threads", 0, 0, 0, 0, 0, 0),
                        new Sample.Peer(1, "shm", messages, 2 * messages, 100 * messages, 200 * messages, 1, 2),
                        new Sample.Peer(2, "shm", messages, 2 * messages, 100 * messages, 200 * messages, 3, 4)),
                List.of());
    }

    private static List<String> rows(boolean peersToo) {
        // Half a second lies between them.
        return new TopTable(peersToo)
                .of(List.of(sample(0, 1, 0)), List.of(sample(500_000_000, 3, 0), sample(500_000_000, 1, 1000)))
                .lines()
                .skip(2)
                .map(line -> line.trim().replaceAll(" +", " "))
                .toList();
    }

    @Test
    void aRowForEachChannelSumsItsPeers() {
        assertEquals(
                List.of(
                        "1 11 shm all 4.0k 8.0k 400.0k 800.0k 5 7",
                        "1 11 threads all 0 0 0 0",
                        "3 13 shm all - - - - 5 7",
                        "3 13 threads all - - - -"),
                rows(false));
    }

    /** The rank's first row has what is of none. */
    @Test
    void aRowForEachPeerHasWhatIsOfThatPeer() {
        assertEquals(
                List.of(
                        "1 11 threads 0 0 0 0 0 0 0 + 1 any",
                        "1 11 shm 1 2.0k 4.0k 200.0k 400.0k 1 2",
                        "1 11 shm 2 2.0k 4.0k 200.0k 400.0k 3 4"),
                rows(true).subList(0, 3));
    }

    @Test
    void theHeadSaysHowManyRanksOfTheJobAreHere() {
        String text = new TopTable(false).of(List.of(), List.of(sample(0, 1, 0), sample(0, 3, 0)));
        assertEquals(
                "job 01234567: 2 of 4 ranks are here", text.lines().findFirst().orElseThrow());
    }
}
