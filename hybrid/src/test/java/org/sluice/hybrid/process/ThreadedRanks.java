package org.sluice.hybrid.process;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.sluice.device.Device;

/**
 * Two ranks, in each of which as many threads as the argument says exchange 8 bytes with one of the other rank, on one
 * device. By hand (docs/project/testing.md): it prints round trips a second, and asserts nothing of them. A second
 * argument {@code virtual} makes the threads virtual ones.
 */
final class ThreadedRanks {
    private static final int ROUNDS = 5;
    private static final double SECONDS = 1.5;
    /** Tags of one round. */
    private static final int MOST = 10_000;

    private ThreadedRanks() {}

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        boolean virtual = args.length > 1 && args[1].equals("virtual");
        try (Device device = Device.open()) {
            for (int round = 0; round < ROUNDS; round++) {
                LongAdder trips = new LongAdder();
                long end = System.nanoTime() + (long) (SECONDS * TimeUnit.SECONDS.toNanos(1));
                Thread[] all = new Thread[threads];
                for (int i = 0; i < threads; i++) {
                    int tag = round * MOST + i;
                    all[i] = start(virtual, () -> exchange(device, tag, end, trips));
                }
                for (Thread each : all) {
                    each.join();
                }
                if (device.rank() == 0) {
                    System.out.printf(
                            Locale.ROOT,
                            "%d threads, round %d: %.0f round trips a second in all%n",
                            threads,
                            round,
                            trips.sum() / SECONDS);
                }
            }
        }
    }

    /** Rank 0 has the clock, and tells when it is over. */
    private static void exchange(Device device, int tag, long end, LongAdder trips) {
        int other = 1 - device.rank();
        long[] body = new long[1];
        boolean over = false;
        while (!over) {
            if (device.rank() == 0) {
                over = System.nanoTime() - end > 0;
                body[0] = over ? 1 : 0;
                device.send(body, other, tag);
                device.recv(body, other, tag);
                trips.increment();
            } else {
                device.recv(body, other, tag);
                over = body[0] == 1;
                device.send(body, other, tag);
            }
        }
    }

    /** JDK 17 has no virtual threads. */
    private static Thread start(boolean virtual, Runnable body) throws ReflectiveOperationException {
        if (virtual) {
            return (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        }
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }
}
