package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.hybrid.process.ProcessGroup;

/** Jobs of Open MPI's mpirun: its processes find each other, and it, the ranks and the user learn of deaths. */
@Tag("once")
@Timeout(120)
final class MpirunProcessTest extends MpirunJobs {
    /** What the ranks of a ring print. */
    static TreeSet<String> ring(int size, int times) {
        TreeSet<String> all = new TreeSet<>();
        for (int time = 0; time < times; time++) {
            for (int rank = 0; rank < size; rank++) {
                all.add("rank " + rank + " of " + size + " has " + (1000 * time + (rank == 0 ? size - 1 : rank)));
            }
        }
        return all;
    }

    /** What the ranks of a ring print that sends both ways. */
    static TreeSet<String> neighbours(int size) {
        TreeSet<String> all = new TreeSet<>();
        for (int rank = 0; rank < size; rank++) {
            all.add("rank " + rank + " of " + size + " is between " + (rank + size - 1) % size + " and "
                    + (rank + 1) % size);
        }
        return all;
    }

    @Test
    void twoProcessesAreRanksOfOneJobAndOpenSeveralTimes() throws Exception {
        assertEquals(0, run(List.of("-n", "2"), java(RANKS, "ring", "3")), this::text);
        assertEquals(ring(2, 3), lines("rank"));
    }

    @Test
    void aMisspeltOptionIsSaidByOneOfThem() throws Exception {
        assertEquals(0, run(List.of("-n", "2", "-x", "SLUICE_PEAK=on"), java(RANKS, "ring", "1")), this::text);
        assertEquals(
                1,
                output().split("environment variable SLUICE_PEAK is no option of Sluice", -1).length - 1,
                this::text);
    }

    @Tag("all")
    @Test
    void eightProcessesAreRanksOfOneJob() throws Exception {
        assertEquals(0, run(List.of("-n", "8"), java(RANKS, "ring", "1")), this::text);
        assertEquals(ring(8, 1), lines("rank"));
    }

    /** Calls a program in place as ./sluice exec --ranks does. */
    static final class InPlace {
        private InPlace() {}

        public static void main(String[] args) throws Exception {
            RankMain.inPlace(InPlace.class.getClassLoader(), System.getProperty("java.class.path"), RANKS, args);
        }
    }

    @Test
    void threadsOfProcessesAreRanksOfTheJob() throws Exception {
        assertEquals(
                0,
                run(List.of("-n", "2", "-x", "SLUICE_JOB_JVM_RANKS=2"), java(InPlace.class.getName(), "ring", "2")),
                this::text);
        assertEquals(ring(4, 2), lines("rank"));
    }

    /** Two processes: their ranks are threads for each other, and two pairs of neighbours share memory. */
    @Tag("all")
    @Test
    void sixtyFourRanksTalkToTheirNeighbours() throws Exception {
        LargeJobProcessTest.assumeRoom();
        assertEquals(
                0,
                run(
                        List.of("-n", "2", "-x", "SLUICE_JOB_JVM_RANKS=32", "-x", "SLUICE_OPEN_TIMEOUT_MS=50000"),
                        java(InPlace.class.getName(), "neighbours")),
                this::text);
        assertEquals(neighbours(64), lines("rank"));
    }

    @Tag("all")
    @Test
    void aThreadThatFailsEndsTheJob() throws Exception {
        assertEquals(
                1,
                run(
                        List.of("-n", "2", "-x", "SLUICE_JOB_JVM_RANKS=2"),
                        java(InPlace.class.getName(), "die", "3", "throw")),
                this::text);
        assertTrue(output().contains("Exception in rank 3 java.lang.IllegalStateException: rank 3 fails"), this::text);
    }

    @Test
    void aKilledRankEndsTheJobWithItsName() throws Exception {
        assertEquals(137, run(List.of("-n", "2"), java(RANKS, "die", "1", "signal")), this::text);
        assertTrue(output().contains("process rank 1 with PID") && output().contains("signal 9"), this::text);
    }

    @Tag("all")
    @Test
    void aRankThatEndsWithItsDeviceOpenEndsTheJob() throws Exception {
        assertEquals(1, run(List.of("-n", "2"), java(RANKS, "die", "1", "leave")), this::text);
        assertTrue(output().contains("process rank 1 with PID") && output().contains("improperly"), this::text);
    }

    @Test
    void withRecoveryADeathIsReportedToTheOthersWhichLiveOn() throws Exception {
        List<String> options = new ArrayList<>(RECOVERY);
        options.addAll(List.of("-n", "2"));
        assertEquals(0, run(options, java(RANKS, "die", "1", "signal")), this::text);
        assertEquals(new TreeSet<>(List.of("rank 0 heard: PEER_DEAD of 1")), lines("rank"));
    }

    /** Of a rank that has no device, so that nobody but the launcher can tell. */
    @ParameterizedTest
    @ValueSource(strings = {"signal", "status"})
    void theLauncherTellsOfADeath(String how) throws Exception {
        assumeFalse(
                isFour(),
                "Open MPI 4 tells nobody where others live on; PRRTE does (-Dsluice.test.mpirun=/usr/bin/prterun)");
        List<String> options = new ArrayList<>(RECOVERY);
        options.addAll(List.of("-n", "3"));
        run(options, java("org.sluice.launch.LauncherNewsRanks", how));
        assertEquals(
                new TreeSet<>(List.of("rank 0 was told: 1 is lost", "rank 2 was told: 1 is lost")),
                lines("rank"),
                this::text);
    }

    @Test
    void anAbortEndsTheJobWithItsStatusAndReason() throws Exception {
        assertEquals(5, run(List.of("-n", "2"), java(RANKS, "die", "1", "abort")), this::text);
        assertTrue(output().contains("sluice: rank 1 aborted the job: no input"), this::text);
    }

    @Tag("all")
    @Test
    void aRankThatDoesNotOpenIsNamedByTheOthers() throws Exception {
        run(List.of("-n", "2"), java(RANKS, "absent", "1"));
        assertEquals(
                new TreeSet<>(List.of(
                        "refused: OPEN_FAILED rank 1 did not open a device within 1500 ms (sluice.open.timeout.ms)")),
                lines("refused"));
    }

    @Test
    void whenTheLauncherIsKilledItsRanksEnd() throws Exception {
        start(List.of("-n", "2"), java(RANKS, "wait"));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (lines("rank").size() < 2 && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        ProcessGroup group = new ProcessGroup(launcher);
        group.signalLeader("KILL");
        while (!group.members().isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        assertEquals(List.of(), group.members(), this::text);
    }

    @Test
    void theEnvironmentOfAJobThatHasEndedIsRefused() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(java(RANKS, "tell"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().putAll(Map.of("PMIX_NAMESPACE", "1234", "PMIX_RANK", "0"));
        launcher = builder.start();
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS));
        assertTrue(
                output().contains("refuses this process") && output().contains("left over from a job that has ended"),
                this::text);
    }
}
