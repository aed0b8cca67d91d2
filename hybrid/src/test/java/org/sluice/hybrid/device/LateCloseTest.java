package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;

/**
 * A close without time for it leaves no thread behind, and one that takes its time keeps no virtual thread's carrier.
 */
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
        boolean parked = isParked(thread);
        while (!parked && System.nanoTime() - end < 0) {
            Thread.sleep(1);
            parked = isParked(thread);
        }
        assertTrue(
                parked,
                () -> "it has nothing to do, and is " + thread.getState() + " at "
                        + Arrays.toString(thread.getStackTrace()));
    }

    /** Not asleep: that is for who leads. */
    private static boolean isParked(Thread thread) {
        List<String> methods = Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
        return methods.contains("parkNanos") && !methods.contains("lead");
    }

    private static Map<String, String> options(String channels, int closeTimeoutMs) {
        Map<String, String> options =
                new HashMap<>(Map.of("sluice.close.timeout.ms", Integer.toString(closeTimeoutMs)));
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

    private static Thread closer(Device device, AtomicReference<Throwable> failed) {
        Thread thread = new Thread(
                () -> {
                    try {
                        device.close();
                    } catch (Throwable e) {
                        failed.compareAndSet(null, e);
                    }
                },
                "closer");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** How a thread stands at a moment in which it waits inside of a close. */
    private static ThreadInfo waitingIn(Thread thread, Thread.State... states) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (true) {
            ThreadInfo seen =
                    ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {thread.getId()}, true, false)[0];
            assertNotNull(seen, "the close is over, and nobody has received");
            if (Arrays.asList(states).contains(seen.getThreadState())
                    && Arrays.stream(seen.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(DeviceClosing.class.getName()))) {
                return seen;
            }
            assertTrue(System.nanoTime() - end < 0, () -> "does not come to wait: " + seen);
            Thread.sleep(1);
        }
    }

    /**
     * On JDK 21 to 23 a virtual thread that parks inside a monitor, or waits to enter one, keeps its carrier. Later
     * ones don't show that, but who holds which monitor any JDK says, and of threads of every kind.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "shm"})
    void whoWaitsInACloseHoldsNoMonitorAndWaitsForNone(String channels) throws Exception {
        try (DeviceJob job = DeviceJob.open(2, options(channels, (int) PATIENCE_MS))) {
            Device device = job.device(0);
            Request sent = device.isend(new byte[DeviceCases.LARGE], 1, 2);
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread first = closer(device, failed);
            ThreadInfo draining = waitingIn(first, Thread.State.TIMED_WAITING);
            Thread second = closer(device, failed);
            ThreadInfo queued = waitingIn(second, Thread.State.WAITING, Thread.State.BLOCKED);
            job.device(1).recv(new byte[DeviceCases.LARGE], 0, 2);
            first.join(PATIENCE_MS);
            second.join(PATIENCE_MS);
            assertNull(failed.get(), () -> "a close failed: " + failed.get());
            assertEquals(DeviceCases.LARGE, sent.waitFor().bytes());
            assertEquals(List.of(), List.of(draining.getLockedMonitors()), "monitors of the thread that closes");
            assertEquals(List.of(), List.of(queued.getLockedMonitors()), "monitors of the one behind it");
            assertEquals(
                    Thread.State.WAITING, queued.getThreadState(), "a second closer waits for a monitor: " + queued);
        }
    }
}
