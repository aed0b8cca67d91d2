package org.sluice.bench.gc;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.sluice.bench.hop.Cores;
import org.sluice.device.Device;

/**
 * The main class of two ranks that send an array to and fro, while a thread beside each asks for collections. After
 * each size a rank says how long one waited at most, second by second. Arguments: seconds, then sizes.
 */
public final class GcWaitRank {
    private static final int TAG = 1;
    private static final byte GO_ON = 1;
    private static final byte LAST = 2;
    /** So much of the time goes before, in which what is compiled and learnt first is not counted: a fifth. */
    private static final int WARM_UP_PART = 5;

    private GcWaitRank() {}

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        Cores cores = Cores.allowed();
        try (Device device = Device.open()) {
            for (String size : Arrays.asList(args).subList(1, args.length)) {
                measure(device, cores, Integer.parseInt(size), seconds);
            }
        }
    }

    private static void measure(Device device, Cores cores, int size, int seconds) throws Exception {
        Collecting collecting = new Collecting();
        // Before the rank is pinned: its thread would inherit that, and could run on one core alone.
        collecting.begin();
        Thread rank = new Thread(() -> exchange(device, cores, new byte[size], seconds), "bench-rank");
        Throwable[] thrown = new Throwable[1];
        rank.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
        Instant counted = Instant.now().plusSeconds(seconds / WARM_UP_PART);
        rank.start();
        rank.join();
        List<Collecting.Wait> waits = collecting.end();
        if (thrown[0] != null) {
            throw new IllegalStateException("messages of " + size + " bytes", thrown[0]);
        }
        say(size, device.rank(), waits, counted, seconds);
    }

    private static void exchange(Device device, Cores cores, byte[] message, int seconds) {
        if (cores.count() >= device.size()) {
            Cores.pinCaller(cores.number(device.rank()));
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds / WARM_UP_PART + seconds);
        int other = 1 - device.rank();
        do {
            if (device.rank() == 0) {
                message[0] = System.nanoTime() < end ? GO_ON : LAST;
                device.send(message, other, TAG);
                device.recv(message, other, TAG);
            } else {
                device.recv(message, other, TAG);
                device.send(message, other, TAG);
            }
        } while (message[0] == GO_ON);
    }

    private static void say(int size, int rank, List<Collecting.Wait> waits, Instant counted, int seconds) {
        Map<Long, long[]> bySecond = new TreeMap<>();
        for (Collecting.Wait wait : waits) {
            long second = Duration.between(counted, wait.asked()).toSeconds();
            if (!wait.asked().isBefore(counted) && second < seconds) {
                long[] countAndWorst = bySecond.computeIfAbsent(second, unused -> new long[2]);
                countAndWorst[0]++;
                countAndWorst[1] = Math.max(countAndWorst[1], wait.nanos());
            }
        }
        for (long[] second : bySecond.values()) {
            System.out.println(new GcWaitReading(size, rank, (int) second[0], second[1]).encode());
        }
    }
}
