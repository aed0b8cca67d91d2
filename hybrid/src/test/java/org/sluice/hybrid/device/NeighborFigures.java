package org.sluice.hybrid.device;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Request;

/**
 * How long a ring of four ranks takes, two in each of two guests, for an exchange with both neighbours, of which one is
 * reached over shared memory and one over verbs; beside rings of two ranks over one of these channels alone. Run by
 * hand (docs/project/benchmarks.md): it prints times and asserts nothing of them.
 */
@Timeout(600)
final class NeighborFigures {
    @RegisterExtension
    static final TwoNodes NODES = new TwoNodes();

    private static final String MIXED = "shm and ib, ring of 4";
    private static final String IB = "ib, ring of 2";
    private static final String IB_ONCE = "ib, one message each way";
    private static final String SHM = "shm, ring of 2";
    /** To the right, and to the left. */
    private static final int RIGHT_TAG = 1;

    private static final int LEFT_TAG = 2;
    private static final int LEAD_IN = 20;
    private static final int EXCHANGES = 50;
    /** Of exchanges above 64 KB, which take long over verbs in software. */
    private static final int FEW = 10;

    private static final int LARGE = 64 << 10;
    private static final int ROUNDS = 15;
    /** At the beginning, by code that isn't compiled yet. */
    private static final int WARM_UP_ROUNDS = 5;

    private static final double US = 1000;

    private final Map<String, double[]> times = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {8, 1 << 10, 16 << 10, 256 << 10})
    void anExchangeWithALocalAndARemoteNeighbor(int size) {
        try (DeviceJob mixed = DeviceJob.open(4, Map.of("sluice.channels", "shm,ib"), NODES);
                DeviceJob ib = DeviceJob.open(2, Map.of("sluice.channels", "ib"), NODES);
                DeviceJob shm = DeviceJob.open(2, Map.of("sluice.channels", "shm"))) {
            int exchanges = size > LARGE ? FEW : EXCHANGES;
            for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
                int at = round;
                mixed.runAll(device -> keep(MIXED, at, device, ring(device, size, exchanges)));
                ib.runAll(device -> keep(IB, at, device, ring(device, size, exchanges)));
                ib.runAll(device -> keep(IB_ONCE, at, device, pair(device, size, exchanges)));
                shm.runAll(device -> keep(SHM, at, device, ring(device, size, exchanges)));
            }
        }
        if (NODES.node() == 0) {
            print(size);
        }
    }

    private void keep(String name, int round, Device device, double us) {
        if (round >= 0 && device.rank() == 0) {
            synchronized (times) {
                times.computeIfAbsent(name, none -> new double[ROUNDS])[round] = us;
            }
        }
    }

    private static double ring(Device device, int size, int exchanges) {
        int left = (device.rank() + device.size() - 1) % device.size();
        int right = (device.rank() + 1) % device.size();
        byte[] toLeft = new byte[size];
        byte[] toRight = new byte[size];
        byte[] fromLeft = new byte[size];
        byte[] fromRight = new byte[size];
        return timed(exchanges, () -> {
            Request[] requests = {
                device.irecv(fromLeft, left, RIGHT_TAG),
                device.irecv(fromRight, right, LEFT_TAG),
                device.isend(toRight, right, RIGHT_TAG),
                device.isend(toLeft, left, LEFT_TAG)
            };
            for (Request request : requests) {
                request.waitFor();
            }
        });
    }

    private static double pair(Device device, int size, int exchanges) {
        int other = 1 - device.rank();
        byte[] outgoing = new byte[size];
        byte[] incoming = new byte[size];
        return timed(exchanges, () -> {
            Request receive = device.irecv(incoming, other, RIGHT_TAG);
            device.isend(outgoing, other, RIGHT_TAG).waitFor();
            receive.waitFor();
        });
    }

    /** @return microseconds of an exchange */
    private static double timed(int exchanges, Runnable exchange) {
        for (int i = 0; i < LEAD_IN; i++) {
            exchange.run();
        }
        long start = System.nanoTime();
        for (int i = 0; i < exchanges; i++) {
            exchange.run();
        }
        return (System.nanoTime() - start) / US / exchanges;
    }

    private void print(int size) {
        StringBuilder text =
                new StringBuilder("neighbors of " + size + " B, us an exchange, medians of " + ROUNDS + " rounds:");
        times.forEach((name, rounds) -> text.append(String.format(Locale.ROOT, " %s %.1f;", name, median(rounds))));
        double slowest = Math.max(median(times.get(IB)), median(times.get(SHM)));
        text.append(String.format(
                Locale.ROOT,
                " ratio to the slower ring of 2 %.2f, to one message each way over ib %.2f",
                median(times.get(MIXED)) / slowest,
                median(times.get(MIXED)) / median(times.get(IB_ONCE))));
        System.out.println(text);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
