package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.IbPresence;
import org.sluice.jni.os.Os;

/** What the doctor says about this machine and about wrong settings. */
@Timeout(60)
final class DoctorTest {
    /** No second JVM is needed where another thing is looked at. */
    private static final Map<String, String> WITHOUT_TRIAL = Map.of("SLUICE_SHM_CMA", "off");

    private static List<Finding> examine(Map<String, String> properties) {
        return new Doctor(properties, WITHOUT_TRIAL).examine();
    }

    private static List<Finding> of(List<Finding> findings, Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).toList();
    }

    @Test
    void verbsAreDescribedOrTheirAbsenceIsExplained() {
        Finding found = RdmaDevice.examine(Options.of(Map.of(), Map.of(), Map.of()));
        assertEquals("verbs", found.topic());
        String reason = IbPresence.unavailableReason();
        if (reason.isEmpty()) {
            assertTrue(found.level() == Finding.Level.OK || !found.advice().isEmpty(), found.text());
        } else {
            assertEquals("not to be had: " + reason, found.text());
        }
        assertEquals(
                "not to be had: switched off: sluice.verbs is off (system property)",
                RdmaDevice.examine(Options.of(Map.of(), Map.of("sluice.verbs", "off"), Map.of()))
                        .text());
    }

    @Test
    void aFolderThatIsNotThereMakesItUnusable(@TempDir Path folder) {
        List<Finding> unusable =
                of(examine(Map.of("sluice.shm.dir", folder.resolve("none").toString())), Finding.Level.UNUSABLE);
        assertEquals(
                List.of("shared memory", "channel shm"),
                unusable.stream().map(Finding::topic).toList());
        assertTrue(unusable.get(0).text().contains(folder.resolve("none") + " is no folder"), unusable.toString());
        assertTrue(unusable.get(0).advice().contains("sluice.shm.dir"), unusable.toString());
    }

    @Test
    void ranksThatCannotTellThatTheyShareTheMachineMakeItUnusable(@TempDir Path folder) {
        assertEquals(Finding.Level.OK, Doctor.node("").level());
        Finding unknown = Doctor.node("java.io.FileNotFoundException: /proc/sys/kernel/random/boot_id");
        assertEquals(Finding.Level.UNUSABLE, unknown.level());
        assertTrue(unknown.text().endsWith("/proc/sys/kernel/random/boot_id"), unknown.text());
        assertTrue(unknown.advice().contains("--jvms 1"), unknown.advice());
        assertEquals(
                1,
                examine(Map.of("sluice.shm.dir", folder.toString())).stream()
                        .filter(finding -> finding.topic().equals("node"))
                        .count());
    }

    @Test
    void aFolderThatIsNoPathIsAFinding() {
        List<Finding> unusable = of(examine(Map.of("sluice.shm.dir", "/dev/\0shm")), Finding.Level.UNUSABLE);
        assertEquals(
                List.of("options", "channel threads", "channel shm", "channel ib", "channel tcp"),
                unusable.stream().map(Finding::topic).toList());
        assertTrue(unusable.get(0).text().contains("sluice.shm.dir"), unusable.toString());
    }

    @Test
    void aChannelThatThereIsNotIsAFinding() {
        List<Finding> unusable = of(examine(Map.of("sluice.channels", "threads,udp")), Finding.Level.UNUSABLE);
        assertEquals(List.of("options"), unusable.stream().map(Finding::topic).toList());
        assertTrue(unusable.get(0).text().contains("there is no channel 'udp'"), unusable.toString());
    }

    @Test
    void everyChannelHasOneVerdictAtTheEnd() {
        List<Finding> findings = examine(Map.of());
        assertEquals(
                List.of("channel threads", "channel shm", "channel ib", "channel tcp"),
                findings.subList(findings.size() - 4, findings.size()).stream()
                        .map(Finding::topic)
                        .toList());
        assertEquals(Finding.Level.OK, findings.get(findings.size() - 3).level(), findings.toString());
    }

    @Test
    void typosAreWarnedOfWithWhatWasMeant() {
        List<Finding> findings = new Doctor(
                        Map.of(
                                "sluice.shm.rign.bytes",
                                "1m",
                                "sluice.home",
                                "/somewhere",
                                "sluice.terminal",
                                "out,err"),
                        Map.of("SLUICE_SHM_CMA", "off", "SLUICE_PEEKK", "on"))
                .examine();
        List<String> typos = findings.stream()
                .filter(finding -> finding.topic().equals("options"))
                .map(Finding::text)
                .toList();
        assertEquals(
                List.of(
                        "system property sluice.shm.rign.bytes is no option of Sluice; did you mean "
                                + "sluice.shm.ring.bytes?",
                        "environment variable SLUICE_PEEKK is no option of Sluice; did you mean SLUICE_PEEK?"),
                typos);
        assertTrue(
                findings.stream()
                        .filter(finding -> finding.topic().equals("options"))
                        .allMatch(finding -> finding.level() == Finding.Level.IGNORED),
                findings.toString());
    }

    @Test
    void aValueThatCannotBeReadIsUnusable() {
        List<Finding> findings = examine(Map.of("sluice.peer.check.ms", "soon"));
        assertTrue(
                of(findings, Finding.Level.UNUSABLE).stream()
                        .anyMatch(finding -> finding.text().contains("sluice.peer.check.ms")
                                && finding.text().contains("soon")),
                findings.toString());
        assertTrue(of(examine(Map.of("sluice.shm.ring.bytes", "20000")), Finding.Level.UNUSABLE).stream()
                .anyMatch(finding -> finding.text().contains("powers of two")));
    }

    @Test
    void theNeedOfRanksGrowsWithTheirPairs() {
        Options options =
                Options.of(Map.of("sluice.shm.ring.bytes", "64k", "sluice.shm.ring.cells", "64"), Map.of(), Map.of());
        long two = SharedMemory.neededBytes(2, options);
        long eight = SharedMemory.neededBytes(8, options);
        assertTrue(two > 2 * 65536 && two < 1 << 20, "two: " + two);
        assertTrue(eight > 8 * 7 * 65536 && eight > 10 * two, "eight: " + eight);
    }

    @Test
    void tooLittleRoomIsSaidWithBothSizes() {
        List<Finding> findings = examine(Map.of("sluice.shm.ring.bytes", "1g"));
        assertTrue(
                of(findings, Finding.Level.SLOWER).stream()
                        .anyMatch(finding -> finding.text()
                                        .matches("too small for 64 ranks in JVMs of their own: \\d+ MB are needed, \\d+"
                                                + " MB are free")
                                && finding.advice().contains("--shm-size")),
                findings.toString());
    }

    @Test
    void kernelAssistedCopyIsReallyTried() {
        Finding tried = KernelCopyTrial.examine(Options.of(Map.of(), Map.of(), Map.of()));
        if (Os.available()) {
            assertTrue(tried.text().contains("(tried)"), tried.toString());
        } else {
            assertTrue(tried.text().contains("the native library is not loaded"), tried.toString());
        }
        Finding off = KernelCopyTrial.examine(Options.of(Map.of("sluice.shm.cma", "off"), Map.of(), Map.of()));
        assertEquals("not used: sluice.shm.cma is off (given to open)", off.text());
    }

    @Test
    void everyOptionIsListedWithItsOrigin() {
        List<String> lines =
                new Doctor(Map.of("sluice.peek", "on"), Map.of("SLUICE_JOB_SECRET_FILE", "/a/file")).options();
        assertEquals(Option.values().length, lines.size());
        assertTrue(lines.stream().anyMatch(line -> line.matches("sluice.peek +on +system property")), lines.toString());
        assertTrue(lines.stream()
                .anyMatch(line -> line.matches("sluice.job.secret.file +/a/file +environment SLUICE_JOB_SECRET_FILE")));
    }

    @Test
    void theTableOfAlgorithmsIsListedAsOptionsChangeIt() {
        List<String> lines = new Doctor(Map.of("sluice.mpi.algorithm.allreduce", "ring:64k"), Map.of()).algorithms();
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("barrier +tiers; cells; dissemination")), lines::toString);
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.matches("allReduce +ring up to 64 KB; tiers; cells up to 1 KB; arrays; .*")),
                lines::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("allToAll .*linear up to 7 ranks; bruck up to 256 B; .*")),
                lines::toString);
        Doctor wrong = new Doctor(Map.of("sluice.mpi.algorithm.allreduce", "rnig"), Map.of());
        assertEquals(List.of(), wrong.algorithms());
        assertTrue(
                wrong.examine().stream()
                        .anyMatch(finding -> finding.level() == Finding.Level.UNUSABLE
                                && finding.text().contains("'rnig' is not known; allowed is auto, or a list of tiers")),
                () -> wrong.examine().toString());
    }

    @Test
    void theMachineIsDescribed() {
        List<Finding> findings = examine(Map.of());
        assertTrue(
                findings.stream()
                        .anyMatch(finding -> finding.topic().equals("java")
                                && finding.text().contains(System.getProperty("java.version"))),
                findings.toString());
        assertTrue(
                findings.stream()
                        .anyMatch(finding -> finding.topic().equals("processors")
                                && finding.text()
                                        .startsWith(Runtime.getRuntime().availableProcessors() + " usable")),
                findings.toString());
    }
}
