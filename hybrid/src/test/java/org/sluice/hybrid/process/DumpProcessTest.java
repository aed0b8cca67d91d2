package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;

/** A rank that waits says what for: on a signal, and by itself where a wait takes long. */
@Timeout(60)
final class DumpProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final String RECEIVE =
            "    receive from rank 0, tag 7, 8 bytes: no message has matched it; thread main";
    private static final String LARGE =
            "    send to rank 1, tag 8, 1048576 bytes: the peer was told of it and has not answered";
    private static final String UNWANTED = "    from rank 0, tag 6, 16 bytes, eager";

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void aSignalHasEachRankWriteWhatWaitsForWhom() throws Exception {
        ranks.option(Option.DUMP_SIGNAL, "USR1");
        ranks.startAll(2, StuckRanks.class);
        ranks.rank(0).await("sent", PATIENCE_MS);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        // Until it has parked: a caller that polls is seen only in the log of waits, which nobody has turned on.
        Thread.sleep(300);
        ranks.rank(1).signal("USR1");
        assertTrue(ranks.rank(1)
                .await("sluice: state of rank 1 of 2, process " + ranks.rank(1).pid(), PATIENCE_MS)
                .endsWith("as signal USR1 came"));
        assertEquals("is parked until it is done", ranks.rank(1).await(RECEIVE, PATIENCE_MS));
        ranks.rank(1).await(UNWANTED, PATIENCE_MS);
        ranks.rank(1).await("    from rank 0, tag 8, 1048576 bytes, by rendezvous", PATIENCE_MS);
        assertTrue(ranks.rank(1)
                .await(
                        "  rank 0 by shm (SAME_NODE): sent 0 messages of 0 bytes, 2 of 1048592 bytes have come, 2"
                                + " unmatched; 0 sends wait;",
                        PATIENCE_MS)
                .matches("it has room for \\d+ eager bytes"));
        ranks.rank(1).await("sluice: end of the state of rank 1", PATIENCE_MS);
        ranks.rank(0).signal("USR1");
        ranks.rank(0).await(LARGE, PATIENCE_MS);
        ranks.rank(0).await("sluice: end of the state of rank 0", PATIENCE_MS);
        assertFalse(ranks.rank(0).output().contains("state of rank 1"));
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void aBarrierIsCalledSo() throws Exception {
        ranks.option(1, Option.DUMP_STUCK_MS, 200);
        ranks.startAll(2, StuckRanks.class, "barrier");
        ranks.rank(1)
                .await(
                        "    receive from rank 0, round 0 of a barrier, 8 bytes: no message has matched it; thread"
                                + " main has waited for ",
                        PATIENCE_MS);
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Test
    void aWaitThatTakesLongIsToldOfOnceAndNamesItsPeer(@TempDir Path folder) throws Exception {
        ranks.option(1, Option.DUMP_STUCK_MS, 200).option(Option.DUMP_FILE, folder.resolve("dump"));
        ranks.startAll(2, StuckRanks.class);
        ranks.rank(1).await("waiting", PATIENCE_MS);
        Path file = folder.resolve("dump.1");
        for (long start = System.nanoTime();
                !Files.exists(file) || !Files.readString(file).contains("end of the state");
                Thread.sleep(20)) {
            assertTrue(System.nanoTime() - start < PATIENCE_MS * 1_000_000, "nothing is written");
        }
        // Long enough for several looks.
        Thread.sleep(500);
        String text = Files.readString(file);
        assertTrue(
                text.matches("(?s)sluice: state of rank 1 of 2, process "
                        + ranks.rank(1).pid()
                        + ", job [0-9a-f]{8}, as a call has waited for more than 200 ms"
                        + " \\(sluice.dump.stuck.ms\\)\n"
                        + ".*"),
                text);
        assertTrue(text.contains(RECEIVE + " has waited for "), text);
        assertTrue(text.contains(UNWANTED), text);
        assertEquals(
                1, text.lines().filter(line -> line.startsWith("sluice: state")).count(), text);
        assertFalse(Files.exists(folder.resolve("dump.0")), "rank 0 has no such option, and waits for no message");
        ranks.rank(0).tell("send");
        ranks.allEndWell(PATIENCE_MS);
    }

    /** Who waits for any rank, as a server does, is not told of. */
    @Test
    void aSendThatNobodyReceivesIsToldOfUnaskedAndOnceAndThenAReceiveThatNamesItsRank() throws Exception {
        ranks.option(Option.STUCK_REPORT_MS, 150);
        ranks.startAll(2, UnreceivedRanks.class);
        String send = ranks.rank(0).await("sluice: rank 0 has waited for ", PATIENCE_MS);
        assertTrue(
                send.matches(
                        "\\d+(\\.\\d)? s in thread main: send to rank 1, tag 8, 40000 bytes: the peer was told of it"
                                + " and has not answered: .*\\. Messages of more than 32768 bytes to that rank wait for"
                                + " their receive\\. The next line like this is of a wait ten times as long"
                                + " \\(sluice.stuck.report.ms\\); ./sluice top --dump prints what waits for whom"),
                send);
        ranks.rank(0).tell("any");
        String receive = ranks.rank(1).await("sluice: rank 1 has waited for ", PATIENCE_MS);
        assertTrue(
                receive.matches(
                        "\\d+(\\.\\d)? s in thread main: receive from rank 0, tag 7, 8 bytes: no message has matched"
                                + " it\\. Of the messages that came from rank 0 no receive has matched 2: look at tags"
                                + " and contexts\\. The next line like this is of .*"),
                receive);
        ranks.rank(0).tell("named");
        ranks.rank(0).await("second send", PATIENCE_MS);
        // Another wait, which is long enough, too.
        Thread.sleep(400);
        ranks.rank(0).tell("end");
        ranks.allEndWell(PATIENCE_MS);
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(
                    1,
                    ranks.rank(rank)
                            .output()
                            .lines()
                            .filter(line -> line.contains("has waited for"))
                            .count(),
                    ranks.rank(rank).output());
        }
    }

    /** From 4,097 bytes on. */
    @Test
    void aSendToItselfThatNobodyReceivesIsToldOf() throws Exception {
        ranks.option(Option.STUCK_REPORT_MS, 100);
        ranks.startAll(1, UnreceivedRanks.class);
        String send = ranks.rank(0).await("sluice: rank 0 has waited for ", PATIENCE_MS);
        assertTrue(send.contains("thread main: send to rank 0, tag 8, 4097 bytes: "), send);
        assertTrue(send.contains(". Messages of more than 4096 bytes to that rank wait for their receive. "), send);
        ranks.rank(0).tell("any");
        ranks.allEndWell(PATIENCE_MS);
    }

    /** Of which no thread is in a call. A receive that nobody has sent to is not told of. */
    @Test
    void aSendForWhichAFutureWaitsIsToldOfToo() throws Exception {
        ranks.option(Option.STUCK_REPORT_MS, 300);
        ranks.startAll(2, FutureSendRanks.class);
        String send = ranks.rank(0).await("sluice: rank 0 has waited for ", PATIENCE_MS);
        assertTrue(
                send.matches(
                        "\\d+(\\.\\d)? s in a future or coroutine: send to rank 1, tag 8, 40000 bytes: the peer was"
                                + " told of it and has not answered: .*\\. Messages of more than 32768 bytes to that"
                                + " rank wait for their receive\\. The next line like this is of a wait ten times as"
                                + " long .*"),
                send);
        ranks.rank(1).tell("receive");
        // Long enough for several looks.
        Thread.sleep(1000);
        ranks.rank(1).tell("send");
        ranks.allEndWell(PATIENCE_MS);
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(
                    1 - rank,
                    ranks.rank(rank)
                            .output()
                            .lines()
                            .filter(line -> line.contains("has waited for"))
                            .count(),
                    ranks.rank(rank).output());
        }
    }
}
