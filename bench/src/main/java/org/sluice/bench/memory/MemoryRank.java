package org.sluice.bench.memory;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.sluice.device.Device;

/**
 * The main class of ranks that are threads of one JVM and connect with each other, step by step; after each the first
 * says what the JVM and the kernel hold. So a few ranks make many connections, and all of both ends is in one process.
 */
public final class MemoryRank {
    private static final int TAG = 1;
    /** By how many ranks meet there. */
    private static final ConcurrentHashMap<Integer, CyclicBarrier> BARRIERS = new ConcurrentHashMap<>();

    private MemoryRank() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int ranks = device.size();
            CyclicBarrier together = BARRIERS.computeIfAbsent(ranks, CyclicBarrier::new);
            byte[] sent = new byte[Long.BYTES];
            byte[] received = new byte[Long.BYTES];
            for (int distance = 1; distance <= steps(ranks); distance++) {
                int to = (device.rank() + distance) % ranks;
                int from = (device.rank() + ranks - distance) % ranks;
                var request = device.isend(sent, to, TAG);
                device.recv(received, from, TAG);
                request.waitFor();
                measure(together, device.rank(), 2 * distance * ranks);
            }
        }
    }

    /** How far ranks connect: each pair once. */
    static int steps(int ranks) {
        return (ranks - 1) / 2;
    }

    private static void measure(CyclicBarrier together, int rank, int connections) throws Exception {
        meet(together, rank);
        if (rank == 0) {
            System.out.println(MemoryReading.take(connections).encode());
        }
        meet(together, rank);
    }

    private static void meet(CyclicBarrier together, int rank) throws InterruptedException {
        try {
            together.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("rank " + rank + " waits for one that is gone", e);
        }
    }
}
