package org.sluice.bench.hop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Times one hop of a cache line between the first two cores that this process may use: two pinned threads pass a
 * counter to and fro, and the median over short batches is the hop. A virtual machine's cores move about on the host,
 * and the hop tells.
 *
 * <p><i>Thread</i>: one at a time. <i>Owns</i>: two daemon threads, parked between probes. <i>Proof</i>:
 * {@code HopProbeTest}.
 */
public final class HopProbe implements AutoCloseable {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    /** In longs; far from the array's header and from each other, prefetched neighbours included. */
    private static final int PING = 32;

    private static final int PONG = 64;
    private static final int WORDS = 96;
    private static final long STOP = -1;

    private static final int TRIPS_PER_BATCH = 50;
    private static final int HOPS_PER_TRIP = 2;
    private static final int BATCHES_LEAST = 7;
    private static final int BATCHES_MOST = 1024;
    private static final long PROBE_NS = 1_200_000;
    private static final int WARM_UP_PROBES = 60;

    private final long[] words = new long[WORDS];
    private final ExecutorService leader;
    private final ExecutorService echo;
    private final boolean possible;

    public HopProbe(Cores cores) {
        possible = cores.count() >= 2;
        leader = possible ? pinned("hop-leader", cores.number(0)) : null;
        echo = possible ? pinned("hop-echo", cores.number(1)) : null;
        for (int i = 0; i < WARM_UP_PROBES && possible; i++) {
            hopNs();
        }
    }

    private static ExecutorService pinned(String name, int core) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(
                    () -> {
                        Cores.pinCaller(core);
                        task.run();
                    },
                    name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** One hop in ns; 0 where there are no two cores to hop between. */
    public double hopNs() {
        if (!possible) {
            return 0;
        }
        WORD.setVolatile(words, PING, 0L);
        WORD.setVolatile(words, PONG, 0L);
        Future<?> echoing = echo.submit(this::echo);
        Future<Double> leading = leader.submit(this::lead);
        try {
            double hop = leading.get();
            echoing.get();
            return hop;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            WORD.setVolatile(words, PING, STOP);
            return 0;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the hop probe failed", e.getCause());
        }
    }

    private double lead() {
        double[] hops = new double[BATCHES_MOST];
        int batches = 0;
        long trip = 0;
        long end = 0;
        // The first batch waits for the other thread to wake up, so it is not counted.
        for (int batch = -1; batch < BATCHES_MOST; batch++) {
            long start = System.nanoTime();
            if (batch == 0) {
                end = start + PROBE_NS;
            } else if (batch >= BATCHES_LEAST && start - end > 0) {
                break;
            }
            for (int i = 0; i < TRIPS_PER_BATCH; i++) {
                trip++;
                WORD.setRelease(words, PING, trip);
                while ((long) WORD.getAcquire(words, PONG) != trip) {
                    if (Thread.currentThread().isInterrupted()) {
                        return 0;
                    }
                }
            }
            if (batch >= 0) {
                hops[batches++] = (double) (System.nanoTime() - start) / (TRIPS_PER_BATCH * HOPS_PER_TRIP);
            }
        }
        WORD.setRelease(words, PING, STOP);
        Arrays.sort(hops, 0, batches);
        return hops[batches / 2];
    }

    private void echo() {
        long last = 0;
        while (true) {
            long seen = (long) WORD.getAcquire(words, PING);
            if (seen == STOP) {
                return;
            }
            if (seen != last) {
                last = seen;
                WORD.setRelease(words, PONG, seen);
            }
        }
    }

    @Override
    public void close() {
        if (possible) {
            leader.shutdownNow();
            echo.shutdownNow();
        }
    }
}
