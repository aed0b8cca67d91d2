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
import org.sluice.device.option.Option;
import org.sluice.launch.JobServer;

/**
 * A job whose ranks are devices of this JVM, or of this one and one in another guest. What goes wrong in a rank, or
 * takes too long, ends the test with what every device looked like.
 */
final class DeviceJob implements AutoCloseable {
    /** Above 1 where tests run on an emulated processor. */
    static final int PATIENCE = Integer.getInteger("sluice.test.patience", 1);

    private static final long LIMIT_SECONDS = 30L * PATIENCE;
    private static final long GRACE_SECONDS = 3;

    /** Where the ranks live; null: all here. */
    private final TwoNodes nodes;

    private final int firstHere;
    private final int countHere;
    /** Null where the other guest has it. */
    private final JobServer server;

    private final Device[] devices;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "rank-body");
        thread.setDaemon(true);
        return thread;
    });

    private DeviceJob(int size, Map<String, String> options, TwoNodes nodes, Whereabouts whereabouts) {
        this.nodes = nodes;
        firstHere = nodes == null ? 0 : nodes.first(size);
        countHere = nodes == null ? size : nodes.count(size);
        server = nodes == null ? JobServer.start(size) : nodes.begin(size);
        devices = new Device[size];
        RankBody[] openings = new RankBody[size];
        try {
            Map<String, String> all =
                    new HashMap<>(nodes == null ? server.options(0, size) : nodes.options(server, size));
            if (PATIENCE > 1) {
                // What a rank sent takes as long to arrive as everything else there.
                Option closing = Option.CLOSE_TIMEOUT_MS;
                all.put(closing.property(), Long.toString(PATIENCE * Long.parseLong(closing.defaultValue())));
            }
            all.putAll(options);
            for (int rank = 0; rank < size; rank++) {
                int self = rank;
                openings[rank] = none ->
                        devices[self] = whereabouts == null ? Device.open(self, all) : whereabouts.open(self, all);
            }
            run(LIMIT_SECONDS, openings);
        } catch (AssertionError e) {
            closeServer();
            throw e;
        }
    }

    static DeviceJob open(int size, Map<String, String> options) {
        return open(size, options, null, null);
    }

    static DeviceJob open(int size, Map<String, String> options, TwoNodes nodes) {
        return open(size, options, nodes, null);
    }

    static DeviceJob open(int size, Map<String, String> options, TwoNodes nodes, Whereabouts whereabouts) {
        return new DeviceJob(size, options, nodes, whereabouts);
    }

    /** @throws Elsewhere where the rank lives in the other guest */
    Device device(int rank) {
        if (!isHere(rank)) {
            throw new Elsewhere("rank " + rank + " lives in the other guest");
        }
        return devices[rank];
    }

    private boolean isHere(int rank) {
        return rank >= firstHere && rank < firstHere + countHere;
    }

    /** How many ranks live in this JVM. */
    int here() {
        return countHere;
    }

    /** For what one body tells another past the device. Made outside of bodies, as all ranks have to know it. */
    Flag flag() {
        return nodes == null ? Flag.local() : nodes.flag();
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

    /** Bodies of ranks that live elsewhere run there. */
    void run(long limitSeconds, RankBody... bodies) {
        AssertionError failure = null;
        try {
            runHere(limitSeconds, bodies);
        } catch (AssertionError e) {
            failure = e;
            throw e;
        } finally {
            if (nodes != null) {
                nodes.through(failure);
            }
        }
    }

    private void runHere(long limitSeconds, RankBody... bodies) {
        AtomicReference<Throwable> first = new AtomicReference<>();
        List<Future<?>> running = new ArrayList<>();
        for (int rank = firstHere; rank < Math.min(bodies.length, firstHere + countHere); rank++) {
            int self = rank;
            running.add(threads.submit(() -> {
                try {
                    bodies[self].run(devices[self]);
                } catch (Throwable e) {
                    if (!first.compareAndSet(null, e) && first.get() != e) {
                        // Which came first says little of which one led to the other.
                        first.get().addSuppressed(e);
                    }
                }
            }));
        }
        RunningTime time = new RunningTime();
        long deadline = TimeUnit.SECONDS.toNanos(limitSeconds);
        boolean late = false;
        for (Future<?> each : running) {
            late |= !ended(each, time, deadline, first);
        }
        if (late || first.get() != null) {
            String stacks = late ? stacks() : "";
            throw new AssertionError(
                    (first.get() != null
                                    ? "a rank failed: " + first.get() + others(first.get())
                                    : "after " + limitSeconds + " s some rank hangs")
                            + "\n" + state() + stacks,
                    first.get());
        }
    }

    private static String others(Throwable first) {
        StringBuilder text = new StringBuilder();
        for (Throwable other : first.getSuppressed()) {
            text.append("; another: ").append(other);
        }
        return text.toString();
    }

    /** Waits for a rank until the deadline or, once another one failed, a little. */
    private boolean ended(Future<?> rank, RunningTime time, long deadline, AtomicReference<Throwable> failure) {
        long grace = -1;
        while (true) {
            try {
                rank.get(20, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                long now = time.nanos();
                if (nodes != null && nodes.otherFailure() != null) {
                    failure.compareAndSet(null, new AssertionError("in the other guest: " + nodes.otherFailure()));
                }
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
            if (nodes != null) {
                nodes.meet("close");
            }
            runAll(device -> {
                if (device != null) {
                    device.close();
                }
            });
        } finally {
            closeServer();
            threads.shutdownNow();
        }
    }

    private void closeServer() {
        if (server != null) {
            server.close();
        }
    }
}
