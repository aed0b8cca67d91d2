package org.sluice.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.hybrid.observe.DeviceReports;

@Tag("once")
final class TopTableTest {
    private static final String JOB = "0123456789abcdef";
    private static final Sample.Sockets NONE = new Sample.Sockets(0, 0, 0, 0);

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
                        new Sample.Peer(0, "threads", 0, 0, 0, 0, 0, 0, 0),
                        new Sample.Peer(1, "shm", messages, 2 * messages, 100 * messages, 200 * messages, 1, 2, 0),
                        new Sample.Peer(2, "shm", messages, 2 * messages, 100 * messages, 200 * messages, 3, 4, 0)),
                NONE,
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

    private static Sample overSockets(long nanos, long messages, Sample.Sockets sockets) {
        return new Sample(
                nanos,
                10,
                0,
                3,
                JOB,
                0,
                0,
                List.of(
                        new Sample.Peer(1, "shm", 7 * messages, 0, 0, 0, 0, 0, 0),
                        new Sample.Peer(
                                2, "tcp", messages, 0, 8 * messages, 0, 0, 0, Math.max(0, sockets.retransmits()))),
                sockets,
                List.of());
    }

    /** In one second 4000 messages, of which eight share a write. */
    @Test
    void aRankThatWritesToSocketsSaysHowOften() {
        List<Sample> before = List.of(overSockets(0, 100, new Sample.Sockets(10, 4000, 3, 1)));
        String text = new TopTable(false)
                .of(before, List.of(overSockets(1_000_000_000, 4100, new Sample.Sockets(510, 164_000, 5, 8))));
        assertEquals(
                "tcp of rank 0: 500 writes/s, 0.13 for each message, 160.0k bytes/s with headers, 2 stalls/s, 7"
                        + " retransmits/s (to 2: 7)",
                text.lines().reduce((first, last) -> last).orElseThrow());
        assertEquals(4, new TopTable(false).of(before, before).lines().count());
    }

    /** Nothing goes through any more, so nothing is written either. */
    @Test
    void aRankWhoseKernelOnlySendsAgainHasALineToo() {
        List<Sample> before = List.of(overSockets(0, 100, new Sample.Sockets(10, 4000, 3, 1)));
        String text = new TopTable(false)
                .of(before, List.of(overSockets(1_000_000_000, 100, new Sample.Sockets(10, 4000, 3, 3))));
        assertTrue(text.contains("0 writes/s, 0 bytes/s with headers, 0 stalls/s, 2 retransmits/s (to 2: 2)"), text);
    }

    @Test
    void whatCannotBeToldIsSaidToBeUnknown() {
        List<Sample> before = List.of(overSockets(0, 100, new Sample.Sockets(10, 4000, 3, DeviceReports.UNKNOWN)));
        String text = new TopTable(false)
                .of(
                        before,
                        List.of(overSockets(
                                1_000_000_000, 101, new Sample.Sockets(11, 4040, 3, DeviceReports.UNKNOWN))));
        assertTrue(text.contains("0 stalls/s, retransmits unknown"), text);
    }
}
