package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.launch.ClassArchive;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobServer;

/**
 * Devices over verbs close while their job's launcher is stopped: they tell each other by connections, and don't wait
 * for it longer than it gets.
 */
@Tag("all")
@Tag("verbs")
final class StoppedLauncherRxeTest {
    private static final int RANKS = 3;
    private static final long PATIENCE_S = 60L * Integer.getInteger("sluice.test.patience", 1);
    private static final int CLOSE_TIMEOUT_MS = 120_000;
    /**
     * The launcher gets two seconds for passing on that a device closes, and one for its goodbye; the rest is for a
     * processor that is shared, and emulated: the first that closes makes two connections. It is half of what who waits
     * for the launcher would wait.
     */
    private static final long CLOSE_LIMIT_MS = CLOSE_TIMEOUT_MS / 2;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Process launcher;

    /** A launcher's server, in a process of its own. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            try (JobServer server = JobServer.start(RANKS)) {
                server.options(0, RANKS).forEach((name, value) -> System.out.println(name + "=" + value));
                System.out.println();
                System.in.read();
            }
        }
    }

    @AfterEach
    void endAll() throws Exception {
        if (launcher != null) {
            launcher.destroyForcibly().waitFor();
        }
        threads.shutdownNow();
    }

    /** The options of its ranks. */
    private Map<String, String> startLauncher() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(JavaHome.current().command(), "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        ClassArchive.of(JavaHome.current()).ifPresent(archive -> command.addAll(archive.flags()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        launcher = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, String> options = new HashMap<>();
        BufferedReader said = launcher.inputReader();
        for (String line = said.readLine(); line != null && !line.isEmpty(); line = said.readLine()) {
            int end = line.indexOf('=');
            options.put(line.substring(0, end), line.substring(end + 1));
        }
        return options;
    }

    private void stopLauncher() throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-STOP", Long.toString(launcher.pid()))
                        .start()
                        .waitFor());
    }

    private static <T> T result(Future<T> future) throws Exception {
        return future.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static long closeMs(Device device) {
        long begin = System.nanoTime();
        device.close();
        return (System.nanoTime() - begin) / 1_000_000;
    }

    @Test
    void devicesThatNeverTalkedCloseAndHearOfEachOther() throws Exception {
        Map<String, String> options = startLauncher();
        options.putAll(Map.of("sluice.channels", "ib", "sluice.close.timeout.ms", Integer.toString(CLOSE_TIMEOUT_MS)));
        List<Future<Device>> openings = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            int self = rank;
            openings.add(threads.submit(() -> Device.open(self, options)));
        }
        List<Device> devices = new ArrayList<>();
        for (Future<Device> opening : openings) {
            devices.add(result(opening));
        }
        stopLauncher();
        Future<SluiceException> waiting = threads.submit(() ->
                assertFails(ErrorCode.PEER_CLOSED, () -> devices.get(1).recv(new byte[8], 0, 1)));
        List<Long> times = new ArrayList<>(List.of(result(threads.submit(() -> closeMs(devices.get(0))))));
        assertEquals(0, result(waiting).peer());
        assertEquals(RANKS - 1, devices.get(0).counters().get("connections"), "it told the others itself");
        List<Callable<Long>> both = List.of(() -> closeMs(devices.get(1)), () -> closeMs(devices.get(2)));
        for (Future<Long> close : threads.invokeAll(both, PATIENCE_S, TimeUnit.SECONDS)) {
            times.add(result(close));
        }
        System.out.println("StoppedLauncherRxeTest: closed within " + times + " ms");
        assertTrue(times.stream().allMatch(time -> time < CLOSE_LIMIT_MS), times::toString);
    }
}
