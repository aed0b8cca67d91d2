package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Options;

/** One verdict for each channel, out of all findings. */
final class ChannelVerdictsTest {
    private static final Finding NO_VERBS =
            Finding.information("verbs", "not to be had: this machine has no RDMA device");

    private static List<Finding> verdicts(String channels, Finding... findings) {
        List<Finding> all =
                new ArrayList<>(List.of(Finding.ok("shared memory", "/dev/shm"), Finding.ok("node", "known")));
        all.addAll(List.of(findings));
        List<Finding> verdicts =
                new ChannelVerdicts(all, Options.of(Map.of("sluice.channels", channels), Map.of(), Map.of())).all();
        assertEquals(
                List.of("channel threads", "channel shm", "channel ib", "channel tcp"),
                verdicts.stream().map(Finding::topic).toList());
        return verdicts;
    }

    private static List<Finding.Level> levels(List<Finding> verdicts) {
        return verdicts.stream().map(Finding::level).toList();
    }

    @Test
    void withNothingInTheWayAllAreUsable() {
        List<Finding> verdicts = verdicts("auto", NO_VERBS);
        assertEquals(
                List.of(Finding.Level.OK, Finding.Level.OK, Finding.Level.INFORMATION, Finding.Level.OK),
                levels(verdicts));
        assertEquals(
                "not usable: this machine has no RDMA device", verdicts.get(2).text());
        assertEquals(
                List.of(Finding.Level.OK, Finding.Level.OK, Finding.Level.OK, Finding.Level.OK),
                levels(verdicts("auto", Finding.ok("verbs", "rxe0"))));
    }

    @Test
    void theOrderOfPreferenceIsTheOptions() {
        for (Map.Entry<String, String> each :
                Map.of("auto", "threads, shm, ib, tcp", "ib,shm", "ib, shm").entrySet()) {
            Finding order = new ChannelVerdicts(
                            List.of(), Options.of(Map.of("sluice.channels", each.getKey()), Map.of(), Map.of()))
                    .order();
            assertEquals("channels", order.topic());
            assertEquals(
                    "each peer by the first that reaches it: " + each.getValue()
                            + " (sluice.channels, the same for all ranks)",
                    order.text());
        }
    }

    @Test
    void whatIsUsableAndNotNamedIsSaidWithTheOption() {
        Finding verbs = verdicts("threads,shm", Finding.ok("verbs", "rxe0")).get(2);
        assertEquals(Finding.Level.INFORMATION, verbs.level());
        assertEquals(
                "usable between machines, and not used: sluice.channels is threads,shm (given to open)", verbs.text());
        assertEquals("sluice.channels=threads,shm,ib lets ranks use it", verbs.advice());
        assertEquals(
                "sluice.channels=shm,threads lets ranks use it",
                verdicts("shm", NO_VERBS).get(0).advice());
    }

    @Test
    void sharedMemoryFallsWithItsFolderOrNode() {
        for (String topic : List.of("shared memory", "node")) {
            List<Finding> verdicts = verdicts("auto", NO_VERBS, Finding.unusable(topic, "why", "what to do"));
            assertEquals(
                    List.of(Finding.Level.OK, Finding.Level.UNUSABLE, Finding.Level.INFORMATION, Finding.Level.OK),
                    levels(verdicts));
            assertEquals("not usable: " + topic + ": why", verdicts.get(1).text());
            assertEquals("what to do", verdicts.get(1).advice());
        }
    }

    @Test
    void limitsAreSaid() {
        List<Finding> verdicts =
                verdicts("auto", NO_VERBS, Finding.slower("shared memory", "too small for 64 ranks", "larger"));
        assertEquals(
                List.of(Finding.Level.OK, Finding.Level.SLOWER, Finding.Level.INFORMATION, Finding.Level.OK),
                levels(verdicts));
        assertEquals(
                "usable between JVMs of one user on this machine, but: shared memory: too small for 64 ranks",
                verdicts.get(1).text());
        assertEquals("larger", verdicts.get(1).advice());
        assertEquals(
                List.of(Finding.Level.SLOWER, Finding.Level.SLOWER, Finding.Level.INFORMATION, Finding.Level.OK),
                levels(verdicts("auto", NO_VERBS, Finding.slower("native library", "absent", "yields"))));
        assertEquals(
                Finding.Level.OK,
                verdicts("auto", NO_VERBS, Finding.ignored("options", "a typo", "correct it"))
                        .get(0)
                        .level());
    }

    @Test
    void whatStopsEveryDeviceStopsAllChannels() {
        for (String topic : List.of("java flags", "options")) {
            List<Finding> verdicts = verdicts("auto", Finding.unusable(topic, "why", "what to do"));
            assertEquals(
                    List.of(
                            Finding.Level.UNUSABLE,
                            Finding.Level.UNUSABLE,
                            Finding.Level.UNUSABLE,
                            Finding.Level.UNUSABLE),
                    levels(verdicts));
        }
    }

    @Test
    void verbsThatAreAskedForInVainAreAFault() {
        assertEquals(
                Finding.Level.SLOWER,
                verdicts("threads,shm,ib", NO_VERBS).get(2).level());
        Finding alone = verdicts("ib", NO_VERBS).get(2);
        assertEquals(Finding.Level.UNUSABLE, alone.level());
        assertTrue(alone.advice().contains("sluice.channels"), alone.advice());
        Finding device = verdicts("threads,shm,ib", Finding.slower("verbs", "no port is up", ""))
                .get(2);
        assertEquals("not usable: no port is up", device.text());
    }

    @Test
    void anInterfaceThatIsNotThereStopsTcpAlone() {
        List<Finding> verdicts = verdicts("auto", NO_VERBS, Finding.unusable("network", "no eth9", "correct it"));
        assertEquals("not usable: network: no eth9", verdicts.get(3).text());
        assertEquals(Finding.Level.OK, verdicts.get(1).level());
    }

    @Test
    void aChannelThatThereIsNotIsAnError() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> verdicts("udp"))
                .getMessage()
                .contains("no channel 'udp'"));
    }
}
