package org.sluice.hybrid.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.option.Option;

/**
 * Program of {@link PeerDeathProcessTest} and {@link StoppedRankProcessTest}: rank 0 sends rank 1 arrays, which that
 * one reads where they lie; half of the first it has read when something is done to it. Meanwhile rank 0 collects, and
 * exchanges arrays with rank 2. Every byte is checked. The argument says that rank 1 will be {@code killed}, or not.
 */
final class HalfReadRanks {
    private static final int READER = 1;
    private static final int OTHER = 2;
    private static final int TAG = 7;
    private static final int LARGE_TAG = 8;
    /** 3 MB: a dozen pieces. */
    private static final int LARGE = 400_000;

    private static final int SMALL = 20_000;
    private static final int HALF_PIECES = 6;
    private static final int ARRAYS = 40;
    /** Of collections, and of exchanges, to say that both go on. */
    private static final int ENOUGH = 5;

    private static final long BETWEEN_COLLECTIONS_MS = 5;

    private static volatile boolean isHalfRead;
    private static volatile boolean isOver;
    private static volatile int collections;
    private static volatile int exchanges;

    private HalfReadRanks() {}

    static void start(RankJvms ranks, String becomes) throws IOException {
        ranks.option(Option.SHM_CMA, "on")
                .flag("-XX:-UseSerialGC")
                .flag("-XX:+UseG1GC")
                // With room for such an array among others, which collections move.
                .flag("-XX:G1HeapRegionSize=8m")
                .startAll(3, HalfReadRanks.class, becomes);
    }

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            switch (device.rank()) {
                case 0 -> send(device, args[0].equals("killed"));
                case READER -> read(device);
                default -> answer(device);
            }
        }
        Say.line("ended well");
    }

    private static void send(Device device, boolean toTheDead) throws Exception {
        Thread collecting = new Thread(HalfReadRanks::collect, "collecting");
        Thread exchanging = new Thread(() -> exchange(device), "exchanging");
        Thread telling = new Thread(HalfReadRanks::tell, "telling");
        telling.setDaemon(true);
        collecting.start();
        exchanging.start();
        telling.start();
        if (toTheDead) {
            Say.failure("send", () -> sendAll(device));
            awaitMore();
        } else {
            sendAll(device);
        }
        isOver = true;
        exchanging.join();
        collecting.join();
    }

    private static void sendAll(Device device) {
        for (int i = 0; i < ARRAYS; i++) {
            device.send(filled(LARGE, i), READER, LARGE_TAG);
        }
    }

    /** Before that rank 0 neither allocates nor collects: what a collection may have moved is not read on. */
    private static void awaitHalf() {
        while (!isHalfRead) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static void collect() {
        awaitHalf();
        while (!isOver) {
            System.gc();
            collections++;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_COLLECTIONS_MS));
        }
    }

    private static void awaitMore() {
        int collected = collections;
        int exchanged = exchanges;
        while (collections < collected + ENOUGH || exchanges < exchanged + ENOUGH) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Both times that something is done to rank 1. */
    private static void tell() {
        for (String where : List.of("half", "reading")) {
            Say.awaitTest(where);
            isHalfRead = true;
            awaitMore();
            Say.line("went on: " + where);
        }
    }

    private static void exchange(Device device) {
        awaitHalf();
        boolean isLast = false;
        for (int i = 0; !isLast; i++) {
            isLast = isOver;
            device.send(filled(SMALL, isLast ? -1 : i), OTHER, TAG);
            receive(device, OTHER, SMALL, TAG, i);
            exchanges++;
        }
    }

    private static void answer(Device device) {
        boolean isLast = false;
        for (int i = 0; !isLast; i++) {
            long[] into = new long[SMALL];
            device.recv(into, 0, TAG);
            isLast = into[0] == value(-1, 0);
            check(into, isLast ? -1 : i);
            device.send(filled(SMALL, i), 0, TAG);
        }
    }

    private static void read(Device device) {
        int message = 0;
        long[] into = new long[LARGE];
        // Another one if a collection that nobody asked for came too early.
        Request half = readHalf(device, into);
        for (; half.isDone(); half = readHalf(device, into)) {
            check(into, message++);
        }
        long read = pieces(device);
        long moved = moved(device);
        Say.line("half");
        Say.awaitTest("go on");
        Status status = half.waitFor();
        Say.check(status.count() == LARGE, status.toString());
        check(into, message++);
        Say.check(pieces(device) == read, "it was moved, and read on");
        Say.check(moved(device) == moved + 1, "it was moved, and nobody noticed");
        Say.line("reading");
        for (; message < ARRAYS; message++) {
            receive(device, 0, LARGE, LARGE_TAG, message);
        }
    }

    private static Request readHalf(Device device, long[] into) {
        long enough = pieces(device) + HALF_PIECES;
        Request receive = device.irecv(into, 0, LARGE_TAG);
        while (pieces(device) < enough && !receive.isDone()) {
            device.progress();
        }
        return receive;
    }

    private static long moved(Device device) {
        return device.counters().get("arrays.moved");
    }

    private static long pieces(Device device) {
        return device.counters().get("array.pieces");
    }

    private static void receive(Device device, int source, int length, int tag, int message) {
        long[] into = new long[length];
        Status status = device.recv(into, source, tag);
        Say.check(status.count() == length, status.toString());
        check(into, message);
    }

    private static long value(int message, int index) {
        return (long) message << 32 | index;
    }

    private static long[] filled(int length, int message) {
        long[] array = new long[length];
        for (int i = 0; i < length; i++) {
            array[i] = value(message, i);
        }
        return array;
    }

    private static void check(long[] array, int message) {
        for (int i = 0; i < array.length; i++) {
            if (array[i] != value(message, i)) {
                Say.check(false, "element " + i + " of message " + message + " is " + Long.toHexString(array[i]));
            }
        }
    }
}
