package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** What the kernel sends again is told when it is asked for, and costs nothing otherwise. */
final class RetransmitsTest {
    /** What {@link LossyNetworkMain} says where there is no way to lose packets. */
    static final int NO_LOSS = 77;

    /** Sent again though nothing was lost: to a receiver that did not get its core in time. */
    private static final int PROBES = 5;

    private static TestRank[] joined(OsCalls os, String... options) {
        TestRank[] ranks = {
            TcpRanks.rank(0, 2, os, TcpRanks.options(options)), TcpRanks.rank(1, 2, TcpRanks.options(options))
        };
        TcpRanks.introduce(ranks);
        TestRank.together(ranks);
        TcpRanks.join(ranks[0], ranks[1]);
        return ranks;
    }

    private static void close(TestRank[] ranks) {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private static void exchange(TestRank[] ranks) {
        for (int i = 0; i < 100; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
    }

    static long sum(TestRank rank) {
        long sum = 0;
        for (Counters each : rank.channel.counters()) {
            sum += each.get(Counter.SOCKET_RETRANSMITS);
        }
        return sum;
    }

    @Test
    void aCleanNetworkHasNoneAndMessagesAskForNone() {
        assumeTrue(Os.available(), Os.unavailableReason());
        FailingOs os = FailingOs.neverFailing(Os.calls());
        TestRank[] ranks = joined(os);
        try {
            long before = os.callCount();
            exchange(ranks);
            assertEquals(before, os.callCount(), "calls for messages alone");
            assertTrue(sum(ranks[0]) <= PROBES);
            assertEquals(before + 2, os.callCount(), "the socket is found, and its count read");
            assertTrue(sum(ranks[0]) <= PROBES);
            assertEquals(before + 3, os.callCount(), "the socket is known");
            assertEquals(Set.of(), ranks[0].channel.unknownCounters());
            assertEquals(1, ranks[0].channel.counters(1).length);
            assertTrue(ranks[0].channel.toString().contains(" segments sent again"), ranks[0].channel.toString());
        } finally {
            close(ranks);
        }
        long asked = os.callCount();
        assertTrue(sum(ranks[0]) <= PROBES);
        assertEquals(asked, os.callCount(), "sockets that are closed are not asked");
    }

    @Test
    void withoutTheNativeLibraryTheyAreUnknown() {
        TestRank[] ranks = joined(Os.none());
        try {
            exchange(ranks);
            assertEquals(Set.of(Counter.SOCKET_RETRANSMITS), ranks[0].channel.unknownCounters());
            assertTrue(
                    ranks[0].channel.toString().contains("what TCP sent again is not known: that takes the native"),
                    ranks[0].channel.toString());
        } finally {
            close(ranks);
        }
    }

    /** As in a sandbox. */
    @Test
    void aKernelThatDoesNotTellIsNamed() {
        assumeTrue(Os.available(), Os.unavailableReason());
        for (String call : new String[] {"findSocket", "tcpRetransmits"}) {
            // Each channel makes one tcpRetransmits as it opens.
            int nth = call.equals("findSocket") ? 1 : 2;
            TestRank[] ranks = joined(FailingOs.failing(Os.calls(), call, nth, Errno.EPERM));
            try {
                assertEquals(Set.of(), ranks[0].channel.unknownCounters());
                sum(ranks[0]);
                assertEquals(Set.of(Counter.SOCKET_RETRANSMITS), ranks[0].channel.unknownCounters());
                assertTrue(ranks[0].channel.toString().contains(call + ": EPERM"), ranks[0].channel.toString());
            } finally {
                close(ranks);
            }
        }
    }

    @Test
    @Tag("once")
    void aNetworkThatLosesPacketsShowsInTheCount() throws Exception {
        assumeTrue(Os.available(), Os.unavailableReason());
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can make a network");
        for (String tool : new String[] {"/usr/bin/unshare", "/usr/sbin/ip"}) {
            assumeTrue(Files.isExecutable(Path.of(tool)), "there is no " + tool);
        }
        Process process = new ProcessBuilder(
                        "unshare",
                        "--net",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LossyNetworkMain.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assumeTrue(status != NO_LOSS, "neither netem nor iptables' statistic is here to lose packets: " + output);
        assertEquals(0, status, output);
        String[] counts =
                output.lines().reduce((first, last) -> last).orElseThrow().split(" ");
        assertTrue(Long.parseLong(counts[0]) <= PROBES, output);
        assertTrue(Long.parseLong(counts[1]) > Long.parseLong(counts[0]), output);
        assertEquals(counts[1], counts[2], "of the only peer: " + output);
    }
}
