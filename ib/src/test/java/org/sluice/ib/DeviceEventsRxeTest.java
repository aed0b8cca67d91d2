package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * A device of its own, under a network interface of its own, whose port goes down, and which is taken away: what the
 * kernel really tells.
 */
@Tag("all")
@Tag("verbs")
final class DeviceEventsRxeTest {
    private static final String PORT_DOWN = "the port of this rank's RDMA device is down";
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int COMMAND_SECONDS = 20;

    /** Each test has its own: who deletes one waits until no process has it open. */
    private static int made;

    private final int number = ++made;
    private final String netdev = "d9" + number;
    private final String device = "rxe9" + number;
    private final String address = "10.97." + number + ".1";
    private final Set<Long> told = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Long> taken = new ThreadLocal<>();
    private TestRank[] ranks = {};

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
            return command + ": not done after " + COMMAND_SECONDS + " s";
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.exitValue() == 0 ? "" : command + ": " + process.exitValue() + " " + output;
    }

    /**
     * Notes the kinds of asynchronous events that the ranks were told of: who has taken one tells them before it asks
     * for the next.
     */
    private VerbsCalls listening(VerbsCalls below) {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, method, arguments) -> {
                    boolean isEvent = method.getName().equals("asyncEvent");
                    if (isEvent && taken.get() != null) {
                        told.add(taken.get());
                        taken.remove();
                    }
                    try {
                        Object result = method.invoke(below, arguments);
                        if (isEvent && (int) result == 1) {
                            taken.set(((long[]) arguments[1])[VerbsCalls.ASYNC_KIND]);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void makeDevice() throws IOException, InterruptedException {
        assertEquals(
                "",
                run("ip link add " + netdev + " type dummy && ip addr add " + address + "/24 dev " + netdev
                        + " && ip link set "
                        + netdev + " up && rdma link add " + device + " type rxe netdev " + netdev
                        // Its addresses come a moment later.
                        + " || exit 1; tries=200; until grep -qs 'RoCE v2' /sys/class/infiniband/" + device
                        + "/ports/1/gid_attrs/types/1; do sleep 0.05; "
                        + "[ $((tries -= 1)) -gt 0 ] || exit 1; done"));
        ranks = VerbsRanks.joined(
                2,
                VerbsRanks.options(Map.of(
                        "sluice.ib.address", address, "sluice.ib.device", device, "sluice.close.timeout.ms", "1000")),
                listening(VerbsRanks.verbs()));
        exchange(1);
    }

    private void exchange(int tag) {
        ranks[0].send(1, tag, new byte[100]);
        assertEquals(tag, ranks[1].receive().tag());
        ranks[1].send(0, tag, new byte[100]);
        assertEquals(tag, ranks[0].receive().tag());
    }

    @AfterEach
    void removeDevice() throws IOException {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        new ProcessBuilder(
                        "sh",
                        "-c",
                        "ip link set " + netdev + " down; rdma link delete " + device + "; ip link delete " + netdev)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitEvent(AsyncKind kind) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!told.contains((long) kind.ordinal())) {
            assertTrue(System.nanoTime() < deadline, "the kernel told of " + told + " only");
            Thread.sleep(5);
        }
    }

    /**
     * SoftRoCE finds no way for what is sent then and flushes it, its only word; what waited for nothing is found by
     * the signs of life.
     */
    @Test
    void aPortThatGoesDown() throws Exception {
        assertEquals("", run("ip link set " + netdev + " down"));
        awaitEvent(AsyncKind.PORT_ERR);
        assertEquals(List.of(), ranks[0].listener.failures);
        ranks[0].send(1, 6, new byte[100]);
        for (TestRank each : ranks) {
            RecordingListener.Failure failure = each.awaitFailure();
            assertEquals(1 - each.rank, failure.peer());
            assertTrue(failure.reason().contains(PORT_DOWN), failure.reason());
        }
        assertEquals(0, ranks[1].listener.packets.size());
    }

    /** A while without the port costs nothing where nothing was sent meanwhile: SoftRoCE doesn't try again. */
    @Test
    void aPortThatComesBack() throws Exception {
        assertEquals("", run("ip link set " + netdev + " down"));
        awaitEvent(AsyncKind.PORT_ERR);
        assertEquals("", run("ip link set " + netdev + " up"));
        awaitEvent(AsyncKind.PORT_ACTIVE);
        exchange(2);
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
        }
    }

    /**
     * The connection manager tells first, one rank after the other, so the second may hear of the first one's end
     * before. Who deletes a SoftRoCE waits until no process has it open, so until this one ends.
     */
    @Test
    void aDeviceThatIsTakenAway() throws Exception {
        new ProcessBuilder("rdma", "link", "delete", device).inheritIO().start();
        List<String> reasons = new ArrayList<>();
        for (TestRank each : ranks) {
            RecordingListener.Failure failure = each.awaitFailure();
            assertEquals(1 - each.rank, failure.peer());
            reasons.add(failure.reason());
            assertEquals(Channel.PEER_FAILED, each.trySend(1 - each.rank, PacketKind.EAGER, 0, 7, new byte[100], null));
        }
        assertTrue(reasons.contains("the RDMA device of this rank was removed"), reasons.toString());
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }
}
