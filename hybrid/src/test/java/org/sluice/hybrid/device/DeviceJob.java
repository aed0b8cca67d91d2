package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.sluice.device.Device;
import org.sluice.hybrid.launch.JobServer;

/**
 * A job whose ranks are devices of this JVM. What goes wrong in a rank, or takes too long, ends the test with what every device looked
 * like.
 */
final class DeviceJob implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;
    private static final long GRACE_SECONDS = 3;

    private final JobServer server;
    private final Device[] devices;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "rank-body");
        thread.setDaemon(true);
        return thread;
    });

    private DeviceJob(int size, Map<String, String> options) {
        server = JobServer.start(size);
        devices = new Device[size];
        Map<String, String> all = new HashMap<>(server.options(0, size));
        all.putAll(options);
        RankBody[] openings = new RankBody[size];
        for (int rank = 0; rank < size; rank++) {
            int self = rank;
            openings[rank] = none -> devices[self] = Device.open(self, all);
        }
        try {
            run(LIMIT_SECONDS, openings);
        } catch (AssertionError e) {
            server.close();
            throw e;
        }
    }

    static DeviceJob open(int size, Map<String, String> options) {
        return new DeviceJob(size, options);
    }

    Device device(int rank) {
        return devices[rank];
    }

    /** Runs the same on every rank. */
    void runAll(RankBody body) {
        RankBody[] bodies = new RankBody[devices.length];
        java.util.Arrays.fill(bodies, body);
        run(bodies);
    }

    /** Runs one body per rank, from rank 0 on, all at once, and returns when all are through. */
    void run(RankBody... bodies) {
        run(LIMIT_SECONDS, bodies);
    }

    void run(long limitSeconds, RankBody... bodies) {
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < bodies.length; i++) {
            int rank = i;
            running.add(threads.submit(() -> {
                try {
                    bodies[rank].run(devices[rank]);
                } catch (Throwable e) {
                    first.compareAndSet(null, e);
                }
            }));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        boolean late = false;
        for (Future<?> each : running) {
            late |= !ended(each, deadline, first);
        }
        if (late || first.get() != null) {
            String stacks = late ? stacks() : "";
            throw new AssertionError((first.get() != null ? "a rank failed: " + first.get() : "after " + limitSeconds + " s some rank hangs")
                    + "\n" + state() + stacks, first.get());
        }
    }

    /** Waits for a rank until the deadline or, once another one failed, a little. */
    private static boolean ended(Future<?> rank, long deadline, AtomicReference<Throwable> failure) {
        long grace = -1;
        while (true) {
            try {
                rank.get(20, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                long now = System.nanoTime();
                if (failure.get() != null && grace < 0) {
                    grace = now + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
                }
                if (now > deadline || (grace >= 0 && now > grace)) {
                    return false;
                }
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** What every device looks like. */
    String state() {
        StringBuilder text = new StringBuilder();
        for (Device device : devices) {
            if (device != null) {
                Map<String, Long> counters = device.counters();
                counters.values().removeIf(value -> value == 0);
                text.append(device).append("\n  ").append(counters).append('\n');
            }
        }
        return text.toString();
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            if (thread.getName().startsWith("rank-body") || thread.getName().startsWith("sluice-progress")) {
                text.append(thread).append('\n');
                for (StackTraceElement frame : frames) {
                    text.append("    ").append(frame).append('\n');
                }
            }
        });
        return text.toString();
    }

    @Override
    public void close() {
        try {
            runAll(device -> {
                if (device != null) {
                    device.close();
                }
            });
        } finally {
            server.close();
            threads.shutdownNow();
        }
    }
}
