package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.nodes.Nodes;
import org.sluice.device.option.Option;

/**
 * Two ranks with a network between them that has a bad day: every byte that they exchange is checked, and if nothing
 * goes on, both hear why in time. Their job's server is reached past that network.
 */
@Tag("all")
@Tag("once")
@Timeout(120)
final class BadDaysNodesTest {
    private static final long PATIENCE_MS = 30_000;
    /** The shortest that the channel knows. */
    private static final int SILENCE_MS = 3000;

    private static final int CONNECT_MS = 1500;
    /** Of a machine that is busy with other things. */
    private static final int SLACK_MS = 3000;

    private static Nodes nodes;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @BeforeAll
    static void start() throws Exception {
        nodes = Nodes.start(2);
    }

    @AfterAll
    static void stop() throws Exception {
        if (nodes != null) {
            nodes.close();
        }
    }

    @BeforeEach
    void spread() throws Exception {
        ranks.option(Option.CHANNELS, "tcp")
                .option(Option.TCP_KEEPALIVE_MS, SILENCE_MS)
                .option(Option.TCP_CONNECT_TIMEOUT_MS, CONNECT_MS);
        for (int rank = 0; rank < 2; rank++) {
            ranks.prefix(rank, nodes.networkPrefix(rank));
        }
    }

    @AfterEach
    void mend() throws Exception {
        for (int node = 0; node < 2; node++) {
            nodes.up(node);
            nodes.shell(node, "ip link set eth0 up; iptables -F; ip6tables -F; tc qdisc del dev eth0 root");
        }
    }

    private void start(String... arguments) throws Exception {
        ranks.startAll(2, CheckedRanks.class, arguments);
        ranks.rank(0).await("round 1", PATIENCE_MS);
    }

    private static int rounds(RankJvm rank) {
        return (int)
                rank.output().lines().filter(line -> line.startsWith("round ")).count();
    }

    /** What was on its way may have been there already: so one round more. */
    private static void goesOn(RankJvm... both) throws InterruptedException {
        for (RankJvm each : both) {
            each.await("round " + (rounds(each) + 2), PATIENCE_MS);
        }
    }

    private void endWell() throws InterruptedException {
        ranks.rank(0).tell("end");
        ranks.rank(0).await("ended well", PATIENCE_MS);
        ranks.rank(1).await("ended well", PATIENCE_MS);
        ranks.allEndWell(PATIENCE_MS);
    }

    private static void firewall(int node, String rule) throws Exception {
        for (String tables : List.of("iptables", "ip6tables")) {
            Nodes.Ended ended = nodes.shell(node, tables + " -A INPUT -p tcp " + rule + " -j DROP");
            assumeTrue(ended.status() == 0, "no " + tables + " in a network of its own: " + ended.output());
        }
    }

    private static long dropped(int node) throws Exception {
        Matcher said = Pattern.compile("(?m)^ *(\\d+) +\\d+ DROP")
                .matcher(nodes.shell(node, "iptables -nvxL INPUT; ip6tables -nvxL INPUT")
                        .output());
        return said.results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
    }

    @Test
    void whatIsLostOnTheWayArrives() throws Exception {
        start("1");
        for (int node = 0; node < 2; node++) {
            firewall(node, "-m statistic --mode random --probability 0.02");
        }
        for (int turn = 0; turn < 20 && (dropped(0) == 0 || dropped(1) == 0); turn++) {
            goesOn(ranks.rank(0), ranks.rank(1));
        }
        assertTrue(dropped(0) > 0 && dropped(1) > 0, "nothing was lost");
        goesOn(ranks.rank(0), ranks.rank(1));
        endWell();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay 5ms 3ms", "delay 4ms reorder 50%", "delay 1ms loss 1% duplicate 2% reorder 10%"})
    void whatIsLateOrOutOfOrderArrivesInOrder(String fault) throws Exception {
        start("1");
        for (int node = 0; node < 2; node++) {
            nodes.netem(node, fault.split(" "));
        }
        goesOn(ranks.rank(0), ranks.rank(1));
        endWell();
    }

    @Test
    void aCableThatIsPulledAndPutBackLosesNothing() throws Exception {
        start("1");
        nodes.down(1);
        Thread.sleep(1000);
        nodes.up(1);
        goesOn(ranks.rank(0), ranks.rank(1));
        endWell();
    }

    @Test
    void whatARankHadSentArrivesThoughItClosesWhileTheCableIsPulled() throws Exception {
        start("1", "leaving");
        nodes.down(1);
        ranks.rank(0).tell("send");
        ranks.rank(0).await("closes", PATIENCE_MS);
        Thread.sleep(500);
        nodes.up(1);
        ranks.rank(1).tell("receive");
        ranks.allEndWell(PATIENCE_MS);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void soDoesAnInterfaceThatIsTakenDown(int node) throws Exception {
        start("1");
        for (int turn = 0; turn < 3; turn++) {
            nodes.shell(node, "ip link set eth0 down; sleep 1.5; ip link set eth0 up");
            goesOn(ranks.rank(0), ranks.rank(1));
        }
        endWell();
    }

    @Test
    void aCableThatStaysPulledIsToldInTime() throws Exception {
        staysDown("both", false);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"both", "oneway", "idle"})
    void soIsItWhateverWasOnItsWay(String how) throws Exception {
        staysDown(how, false);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"both", "oneway", "idle"})
    void andAnInterfaceThatStaysDown(String how) throws Exception {
        staysDown(how, true);
    }

    private void staysDown(String how, boolean isOwn) throws Exception {
        start("1", how);
        // Both have tried whether the other's port answers; of one that is idle for longer the kernel finds it.
        Thread.sleep(how.equals("idle") && isOwn ? 3 * SILENCE_MS : 500);
        long start = System.nanoTime();
        if (isOwn) {
            nodes.shell(1, "ip link set eth0 down");
        } else {
            nodes.down(1);
        }
        for (int rank = 0; rank < 2; rank++) {
            String said = ranks.rank(rank).await("failed ", PATIENCE_MS);
            assertTrue(said.startsWith("PEER_DEAD " + (1 - rank) + " at "), said);
            long tookMs = (Long.parseLong(said.split(" ")[3]) - start) / 1_000_000;
            assertTrue(tookMs < SILENCE_MS + SLACK_MS, "after " + tookMs + " ms: " + said);
            assertTrue(said.contains("its machine has not answered for "), said);
            assertTrue(said.contains(Option.TCP_KEEPALIVE_MS.property()), said);
            assertEquals(CheckedRanks.FAILED_STATUS, ranks.rank(rank).exit(PATIENCE_MS));
        }
    }

    @Test
    void aFirewallThatDropsIsToldOfInTimeWithThePortAndWhatToDo() throws Exception {
        for (int node = 0; node < 2; node++) {
            firewall(node, "--syn");
        }
        ranks.startAll(2, CheckedRanks.class, "1");
        ranks.rank(0).await("opened", PATIENCE_MS);
        long start = System.nanoTime();
        String said = ranks.rank(0).await("failed ", PATIENCE_MS);
        long tookMs = (Long.parseLong(said.split(" ")[3]) - start) / 1_000_000;
        assertTrue(said.startsWith("PEER_DEAD 1 at "), said);
        assertTrue(tookMs < CONNECT_MS + SLACK_MS, "after " + tookMs + " ms: " + said);
        String where = ".* port \\d+ within " + CONNECT_MS + " ms.*";
        assertTrue(said.contains(nodes.address(1)) && said.matches(where), said);
        assertTrue(said.contains("a firewall may be between") && said.contains("sluice.tcp.interface"), said);
        assertEquals(CheckedRanks.FAILED_STATUS, ranks.rank(0).exit(PATIENCE_MS));
        // Which only receives, so the launcher tells it.
        ranks.server().rankDied(0);
        String other = ranks.rank(1).await("failed ", PATIENCE_MS);
        assertTrue(other.startsWith("PEER_DEAD 0 at "), other);
    }

    @Test
    void soIsOneBeforeTheLauncher(@TempDir Path folder) throws Exception {
        firewall(1, "--syn");
        Path secret = Files.writeString(folder.resolve("secret"), "no less than 16 characters");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        String launcher = nodes.address(1) + ":7000";
        ranks.option(Option.OPEN_TIMEOUT_MS, CONNECT_MS)
                .option(Option.JOB_ADDRESS, launcher)
                .option(Option.JOB_SECRET_FILE, secret)
                .job(2)
                .start(0, CheckedRanks.class, "1");
        String said = ranks.rank(0).await("failed ", PATIENCE_MS);
        assertTrue(said.startsWith("TIMEOUT -1 at ") && said.contains("the job's launcher at " + launcher), said);
        assertTrue(said.contains("within " + CONNECT_MS + " ms (sluice.open.timeout.ms)"), said);
        assertTrue(said.contains("it may be stopped, or a firewall be between"), said);
    }

    @Test
    void twoJobsOfTheSameMachinesMindEachOtherNot() throws Exception {
        start("1");
        RankJvm[] first = {ranks.rank(0), ranks.rank(1)};
        start("2");
        RankJvm[] second = {ranks.rank(0), ranks.rank(1)};
        goesOn(first);
        goesOn(second);
        first[1].kill();
        assertTrue(first[0].await("failed ", PATIENCE_MS).startsWith("PEER_DEAD 1 "));
        goesOn(second);
        endWell();
    }

    @Test
    void aRankThatIsStoppedLosesNothing() throws Exception {
        stops(1000);
    }

    /** For longer than its machine may be silent. */
    @Tag("long")
    @Test
    void norDoesOneThatIsStoppedForLong() throws Exception {
        stops(3 * SILENCE_MS);
    }

    private void stops(long ms) throws Exception {
        start("1");
        for (int rank = 0; rank < 2; rank++) {
            ranks.rank(rank).signal("STOP");
            Thread.sleep(ms);
            ranks.rank(rank).signal("CONT");
            goesOn(ranks.rank(0), ranks.rank(1));
        }
        endWell();
    }
}
