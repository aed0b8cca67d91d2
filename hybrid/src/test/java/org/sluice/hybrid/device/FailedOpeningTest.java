package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.hybrid.observe.DeviceState;
import org.sluice.hybrid.observe.Observed;
import org.sluice.launch.JobServer;

/**
 * An opening that fails when its device's threads run already leaves none of them, nothing that shows it, and no peer
 * that waits for it.
 */
@Timeout(60)
final class FailedOpeningTest {
    private static final String NAME = "by FailedOpeningTest";

    @TempDir
    Path folder;

    private final Unshowable unshowable = new Unshowable();

    /** As in a runtime without java.management, whoever shows the devices of this JVM fails. */
    private static final class Unshowable implements LocalEnd, Observed {
        private final Error fault = new NoClassDefFoundError("by this test");
        private volatile boolean closed;

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public DeviceState state(int most) {
            throw fault;
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public String job() {
            return NAME;
        }

        @Override
        public Map<String, Map<String, Long>> channels() {
            return Map.of();
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void onClose(Runnable action) {
            throw new UnsupportedOperationException("it is never shown");
        }

        @Override
        public void dump(String reason) {
            throw new UnsupportedOperationException("it is never shown");
        }
    }

    @AfterEach
    void close() {
        unshowable.closed = true;
        JvmRanks.ofThisJvm().unregister(NAME);
    }

    private static List<String> threadsOfRank1() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("sluice-progress-1") || name.equals("sluice-watch-1"))
                .collect(Collectors.toList());
    }

    private Map<String, String> options(JobServer server, String channel) {
        Map<String, String> options = new HashMap<>(server.options(0, 2));
        options.put("sluice.channels", channel);
        options.put("sluice.shm.dir", folder.toString());
        options.put("sluice.progress.threads", "2");
        return options;
    }

    private static Device openedBesides(Map<String, String> options, Runnable failing) throws Exception {
        FutureTask<Device> good = new FutureTask<>(() -> Device.open(0, options));
        Thread other = new Thread(good, "rank-0");
        other.setDaemon(true);
        other.start();
        failing.run();
        return good.get();
    }

    private static void assertNothingIsLeft(Device peer) throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            // One that looks for stuck waits is told to end, and not waited for.
            if (each.getName().equals("sluice-watch-1")) {
                each.join();
            }
        }
        assertEquals(List.of(), threadsOfRank1());
        assertFalse(
                JvmRanks.ofThisJvm().open().stream()
                        .anyMatch(end -> end instanceof Inside && ((Inside) end).rank() == 1),
                "what nobody opened is shown");
        assertEquals(
                ErrorCode.PEER_CLOSED,
                assertThrows(SluiceException.class, () -> peer.recv(new byte[8], 1, 1))
                        .code());
        peer.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void oneThatCanNotBeShownEndsWhatBegan(String channel) throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Map<String, String> options = options(server, channel);
            Map<String, String> shown = new HashMap<>(options);
            shown.put("sluice.jmx", "on");
            shown.put("sluice.dump.stuck.ms", "60000");
            JvmRanks.ofThisJvm().register(NAME, 0, unshowable);
            assertNothingIsLeft(openedBesides(
                    options,
                    () -> assertSame(unshowable.fault, assertThrows(Error.class, () -> Device.open(1, shown)))));
        }
        assertEquals(List.of(), List.of(folder.toFile().list()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void soDoesOneWhoseRankIsOpenAlready(String channel) throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Map<String, String> options = options(server, channel);
            String devices = "devices of the job at " + options.get("sluice.job.address");
            JvmRanks.ofThisJvm().register(devices, 1, unshowable);
            assertNothingIsLeft(openedBesides(options, () -> {
                String told = assertThrows(IllegalStateException.class, () -> Device.open(1, options))
                        .getMessage();
                assertTrue(told.startsWith("rank 1 of job " + devices), told);
            }));
        }
    }
}
