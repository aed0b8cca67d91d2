package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.Status;

/**
 * Two ranks that send each other arrays, each of which is garbage at once, while a thread of each allocates and
 * collects; every byte is checked. Of every other message the request is garbage, too, before it is over. The arguments
 * say whether arrays are read, and for how many seconds at least; rank 0 goes on until enough was read, and enough had
 * moved.
 */
final class CollectingRanks {
    private static final int LEAST = 200;
    private static final int LEAST_READ = 40;
    private static final int LEAST_MOVED = 3;
    private static final int[] LENGTHS = {5_000, 11_003, 40_000, 300_000};
    private static final long PATIENCE_NANOS = 40_000_000_000L;

    private static volatile boolean isOver;
    private static volatile Object garbage;

    private CollectingRanks() {}

    public static void main(String[] args) throws Exception {
        boolean isRead = Boolean.parseBoolean(args[0]);
        long leastNanos = TimeUnit.SECONDS.toNanos(Integer.parseInt(args[1]));
        Thread collecting = new Thread(CollectingRanks::collect);
        collecting.start();
        try (Device device = Device.open()) {
            long begin = System.nanoTime();
            boolean isLast = false;
            for (int i = 0; !isLast; i++) {
                if (device.rank() == 0) {
                    long nanos = System.nanoTime() - begin;
                    isLast = i >= LEAST
                            && nanos >= leastNanos
                            && (!isRead || isEnough(device) || nanos > leastNanos + PATIENCE_NANOS);
                    send(device, 1, i, isLast);
                    check(device, 1, i);
                } else {
                    isLast = check(device, 0, i);
                    send(device, 0, i, isLast);
                }
            }
            long pieces = device.counters().get("array.pieces");
            long moved = device.counters().get("arrays.moved");
            Say.check(isRead == pieces > 0, pieces + " pieces were read, " + moved + " had moved");
            Say.check(
                    device.rank() != 0 || !isRead || isEnough(device), pieces + " were read, " + moved + " had moved");
        }
        isOver = true;
        collecting.join();
        Say.line("ended well");
    }

    /** What waits for the answer is all that waits for the end of every other send. */
    private static void send(Device device, int peer, int message, boolean isLast) {
        if (message % 2 == 0) {
            device.send(filled(message, isLast), peer, message);
        } else {
            device.isend(filled(message, isLast), peer, message);
        }
    }

    private static boolean isEnough(Device device) {
        return device.counters().get("array.pieces") >= LEAST_READ
                && device.counters().get("arrays.moved") >= LEAST_MOVED;
    }

    /** What lies where the arrays were is other arrays soon. */
    private static void collect() {
        for (int i = 0; !isOver; i++) {
            byte[][] several = new byte[16][];
            for (int j = 0; j < several.length; j++) {
                several[j] = new byte[100_000];
                Arrays.fill(several[j], (byte) 0x5A);
            }
            garbage = several;
            if (i % 16 == 0) {
                System.gc();
            }
        }
    }

    private static long value(int message, int index, boolean isLast) {
        return ((long) message << 32 | index) * 2 + (isLast ? 1 : 0);
    }

    private static long[] filled(int message, boolean isLast) {
        long[] array = new long[LENGTHS[message % LENGTHS.length]];
        for (int i = 0; i < array.length; i++) {
            array[i] = value(message, i, isLast);
        }
        return array;
    }

    /** @return whether it is the last */
    private static boolean check(Device device, int source, int message) {
        long[] into = new long[LENGTHS[message % LENGTHS.length]];
        Status status = device.recv(into, source, message);
        boolean isLast = (into[0] & 1) != 0;
        Say.check(status.count() == into.length, "message " + message + " has " + status.count() + " elements");
        for (int i = 0; i < into.length; i++) {
            if (into[i] != value(message, i, isLast)) {
                throw new AssertionError("element " + i + " of message " + message + " is " + into[i]);
            }
        }
        return isLast;
    }
}
