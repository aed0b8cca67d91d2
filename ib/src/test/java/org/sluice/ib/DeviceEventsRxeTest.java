package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.jni.verbs.VerbsCalls;

/** A device of its own, under a network interface of its own, whose port goes down, and which is taken away: what the kernel really tells. */
@Tag("verbs")
final class DeviceEventsRxeTest {
    private static final String INTERFACE = "d7";
    private static final String DEVICE = "rxe7";
    private static final String ADDRESS = "10.97.7.1";
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int COMMAND_SECONDS = 30;

    private final Set<Long> told = ConcurrentHashMap.newKeySet();
    private TestRank[] ranks = {};

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
        boolean isDone = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
        if (!isDone) {
            process.destroyForcibly();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return isDone && process.exitValue() == 0 ? "" : command + ": " + (isDone ? process.exitValue() + " " : "not done; ") + output;
    }

    /** Notes the kinds of asynchronous events. */
    private VerbsCalls listening(VerbsCalls below) {
        return (VerbsCalls) Proxy.newProxyInstance(VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(below, arguments);
                        if (method.getName().equals("asyncEvent") && (int) result == 1) {
                            told.add(((long[]) arguments[1])[VerbsCalls.ASYNC_KIND]);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void makeDevice() throws IOException, InterruptedException {
        assertEquals("", run("ip link add " + INTERFACE + " type dummy && ip addr add " + ADDRESS + "/24 dev " + INTERFACE + " && ip link set "
                + INTERFACE + " up && rdma link add " + DEVICE + " type rxe netdev " + INTERFACE));
        ranks = VerbsRanks.joined(2, VerbsRanks.options(Map.of("sluice.ib.address", ADDRESS, "sluice.ib.device", DEVICE,
                "sluice.ib.ack.timeout", "12", "sluice.ib.retry.count", "1", "sluice.close.timeout.ms", "1000")),
                listening(VerbsRanks.verbs()));
        ranks[0].send(1, 5, new byte[100]);
        assertEquals(5, ranks[1].receive().tag());
    }

    @AfterEach
    void removeDevice() throws IOException, InterruptedException {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        run("rdma link delete " + DEVICE);
        assertEquals("", run("ip link delete " + INTERFACE));
    }

    private void awaitEvent(AsyncKind kind) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!told.contains((long) kind.ordinal())) {
            assertTrue(System.nanoTime() < deadline, "the kernel told of " + told + " only");
            Thread.sleep(5);
        }
    }

    /** By itself it is nothing: the adapter sends again as long as it was told to. What is sent then is told of, or arrives. */
    @Test
    void aPortThatGoesDown() throws Exception {
        assertEquals("", run("ip link set " + INTERFACE + " down"));
        awaitEvent(AsyncKind.PORT_ERR);
        assertEquals(0, ranks[0].listener.failures.size());
        ranks[0].send(1, 6, new byte[100]);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[0].listener.failures.isEmpty() && ranks[1].listener.packets.isEmpty()) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            ranks[0].channel.checkPeers(ranks[0].listener);
            ranks[1].channel.poll(ranks[1].listener, 10);
            assertTrue(System.nanoTime() < deadline, ranks[0].channel.toString());
            Thread.sleep(1);
        }
        System.out.println("DeviceEventsRxeTest: port down, failures " + ranks[0].listener.failures + ", " + ranks[1].listener.packets.size()
                + " packets");
    }

    /** Whoever deletes it may have to wait until the ranks have closed. */
    @Test
    void aDeviceThatIsTakenAway() throws Exception {
        Process deletes = new ProcessBuilder("rdma", "link", "delete", DEVICE).inheritIO().start();
        for (TestRank each : ranks) {
            RecordingListener.Failure failure = each.awaitFailure();
            System.out.println("DeviceEventsRxeTest: taken away, rank " + each.rank + ": " + failure.reason() + ", events " + told);
            assertEquals(1 - each.rank, failure.peer());
        }
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertTrue(deletes.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS), "the device is still in use");
        assertEquals(0, deletes.exitValue());
    }
}
