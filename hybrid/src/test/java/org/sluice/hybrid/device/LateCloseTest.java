package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;

/** A close without time for it leaves no thread behind. */
final class LateCloseTest {
    private static final long PATIENCE_MS = 20_000;

    private static Set<Thread> progressThreads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("sluice-progress"));
        return threads;
    }

    private static Thread startedSince(Set<Thread> before) {
        Set<Thread> started = progressThreads();
        started.removeAll(before);
        assertEquals(1, started.size(), started::toString);
        return started.iterator().next();
    }

    /** The first callback that is wanted starts the thread; when it is wanted no more the thread parks. */
    private static void startAndPark(Device device, Set<Thread> before) throws InterruptedException {
        Request request = device.irecv(new byte[8], 0, 1);
        request.toFuture();
        request.cancel();
        Thread thread = startedSince(before);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (thread.getState() != Thread.State.WAITING && System.nanoTime() - end < 0) {
            Thread.sleep(1);
        }
        assertEquals(Thread.State.WAITING, thread.getState(), "it has nothing to do");
    }

    private static Map<String, String> options(String channels, int closeTimeoutMs) {
        Map<String, String> options = new HashMap<>(Map.of("sluice.close.timeout.ms", Integer.toString(closeTimeoutMs)));
        if (!channels.isEmpty()) {
            options.put("sluice.channels", channels);
        }
        return options;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shm"})
    void aParkedThreadEndsWithACloseThatWaitsForNothing(String channels) throws Exception {
        Set<Thread> before = progressThreads();
        Thread thread;
        try (DeviceJob job = DeviceJob.open(2, options(channels, 0))) {
            startAndPark(job.device(0), before);
            thread = startedSince(before);
            job.device(0).close();
        }
        thread.join(PATIENCE_MS);
        assertEquals(Thread.State.TERMINATED, thread.getState());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shm"})
    void aParkedThreadEndsWithACloseThatIsOutOfTime(String channels) throws Exception {
        Set<Thread> before = progressThreads();
        Thread thread;
        try (DeviceJob job = DeviceJob.open(2, options(channels, 100))) {
            Device device = job.device(0);
            startAndPark(device, before);
            thread = startedSince(before);
            device.isend(new byte[DeviceCases.LARGE], 1, 2);
            assertFails(ErrorCode.TIMEOUT, device::close);
        }
        thread.join(PATIENCE_MS);
        assertEquals(Thread.State.TERMINATED, thread.getState());
    }
}
