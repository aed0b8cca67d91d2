package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A recording that is started while a rank runs has what befalls it from then on. */
@Timeout(90)
final class FlightRecorderProcessTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long NOTICED_MS = 700;
    private static final int FIRST_WITHOUT_MANAGERS = 24;
    /** Frames that the command of docs/how-to/measure.md prints. */
    private static final int DOCUMENTED_DEPTH = 20;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    private static void jcmd(long pid, String... words) throws Exception {
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                                .toString(),
                                        Long.toString(pid)),
                                Stream.of(words))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    @Test
    void slowRequestsConnectsFailuresAndChoicesAreRecorded(@TempDir Path folder) throws Exception {
        ranks.startAll(2, RecordedRanks.class);
        ranks.rank(0).tell("send");
        ranks.rank(1).await("received 0", PATIENCE_MS);
        jcmd(ranks.rank(1).pid(), "JFR.start", "name=test");
        // The wait that goes on is none of the recording's; the next is, once the rank has noticed.
        Thread.sleep(NOTICED_MS);
        ranks.rank(0).tell("send");
        ranks.rank(1).await("received 1", PATIENCE_MS);
        Thread.sleep(100);
        ranks.rank(0).tell("die");
        ranks.rank(1).await("recv failed PEER_DEAD", PATIENCE_MS);
        Path file = folder.resolve("recording.jfr");
        jcmd(ranks.rank(1).pid(), "JFR.dump", "name=test", "filename=" + file);
        ranks.rank(1).tell("end");
        assertEquals(0, ranks.rank(1).exit(PATIENCE_MS));
        List<RecordedEvent> all = RecordingFile.readAllEvents(file);
        List<RecordedEvent> slow = of(all, "SlowRequest");
        assertFalse(slow.isEmpty(), "no slow request");
        RecordedEvent last = slow.get(slow.size() - 1);
        assertEquals(
                "1 thread receive 0 7 8 PEER_DEAD",
                last.getInt("rank") + " " + last.getString("waiter") + " " + last.getString("request") + " "
                        + last.getInt("peer") + " " + last.getInt("tag") + " " + last.getLong("bytes") + " "
                        + last.getString("outcome"));
        assertTrue(
                last.getDuration().toMillis() >= 50
                        && last.getStackTrace() != null
                        && last.getThread().getJavaName().equals("main"),
                last.toString());
        assertTrue(
                last.getStackTrace().getFrames().stream()
                        .limit(DOCUMENTED_DEPTH)
                        .anyMatch(frame -> frame.getMethod().getType().getName().equals(RecordedRanks.class.getName())),
                last.toString());
        assertTrue(
                of(all, "Connect").stream()
                        .anyMatch(event -> event.getInt("peer") == 0
                                && event.getString("channel").equals("shm")
                                && event.getString("state").equals("READY")),
                "no connect");
        assertTrue(
                of(all, "Failure").stream()
                        .anyMatch(event -> event.getInt("peer") == 0
                                && event.getString("code").equals("PEER_DEAD")),
                "no failure");
        RecordedEvent choice = of(all, "ProtocolChoice").stream()
                .filter(event -> event.getInt("peer") == 0)
                .findFirst()
                .orElseThrow();
        assertEquals(
                "shm SAME_NODE true",
                choice.getString("channel") + " " + choice.getString("locality") + " "
                        + (choice.getLong("eagerLimit") > 0));
    }

    @Test
    void choicesAreInARecordingThatBeganBeforeTheDeviceAndEndsAfterIt(@TempDir Path folder) throws Exception {
        ranks.startAll(2, RecordedRanks.class, folder.toString());
        ranks.allEndWell(PATIENCE_MS);
        for (int rank = 0; rank < 2; rank++) {
            List<RecordedEvent> choices =
                    of(RecordingFile.readAllEvents(folder.resolve(rank + ".jfr")), "ProtocolChoice");
            int own = rank;
            assertEquals(
                    List.of(
                            rank + " 0 " + (rank == 0 ? "threads 0" : "shm 0"),
                            rank + " 1 " + (rank == 1 ? "threads 0" : "shm 1")),
                    choices.stream()
                            .map(event -> own + " " + event.getInt("peer") + " " + event.getString("channel") + " "
                                    + event.getLong("sentEager"))
                            .toList());
        }
    }

    /** Else the two would wait for each other for good, with the progress lock of two ranks of a JVM. */
    @Test
    void noEventWaitsForTheRecordersLockAsItsClassIsInitialized() throws Exception {
        ranks.flag("--add-opens=jdk.jfr/jdk.jfr.internal=ALL-UNNAMED");
        ranks.startAll(1, RecorderLockRanks.class);
        for (String event : List.of("SlowRequest", "Connect", "Failed", "ProtocolChoice")) {
            ranks.rank(0).await(event + " waits for nothing", PATIENCE_MS);
        }
        ranks.allEndWell(PATIENCE_MS);
    }

    @Tag("all")
    @Test
    void aRecorderThatRefusesEndsNoDevice() throws Exception {
        int feature = Runtime.version().feature();
        assumeTrue(
                feature < FIRST_WITHOUT_MANAGERS,
                "up to 23 a security manager can have the recorder refuse, and this is " + feature);
        ranks.flag("-Djava.security.manager=allow");
        ranks.startAll(2, DeniedRecorderRanks.class);
        for (int rank = 0; rank < 2; rank++) {
            ranks.rank(rank).await("goes on", PATIENCE_MS);
        }
        ranks.allEndWell(PATIENCE_MS);
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, String name) {
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("org.sluice." + name))
                .toList();
    }
}
