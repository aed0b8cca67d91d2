package org.sluice.hybrid.process;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.device.Pins;

/**
 * Two ranks with many virtual threads each: first all of them wait at once, half to send and half to receive, and the
 * other rank's main thread has what they wait for in an order in which the one that began first is the last to go on;
 * then each exchanges messages with its like. One that held its carrier while it waits would keep the others from even
 * beginning.
 */
final class VirtualRanks {
    /** An argument: prints who waited without leaving its carrier, as far as a flight recorder sees that. */
    static final String RECORDED = "recorded";

    static final int THREADS = 200;
    private static final int WARMING_THREADS = 40;
    private static final int WORDS = 1;
    /** By rendezvous. */
    private static final int MANY_WORDS = 1200;
    /** Of so many messages of a kind one is long. */
    private static final int LONG_ONES = 4;

    private static final int ALL_WAIT = 1 << 20;
    private static final int KINDS = 5;
    private static final int KINDS_OF_SENDS = 2;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Device device;
    private final int other;
    private final int count;
    private final Method starter;
    private final List<Thread> threads = new ArrayList<>();
    private final List<FutureTask<Void>> tasks = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();

    private VirtualRanks(Device device, int count) throws ReflectiveOperationException {
        this.device = device;
        this.other = 1 - device.rank();
        this.count = count;
        // As the tests are compiled for 17.
        this.starter = Thread.class.getMethod("startVirtualThread", Runnable.class);
    }

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            if (args.length > 0 && args[0].equals(RECORDED)) {
                runRecorded(device);
            } else {
                new VirtualRanks(device, THREADS).run();
            }
            Say.line("parks " + device.counters().get(Counter.PARKS.key()));
        }
        Say.line("all came");
    }

    private static void runRecorded(Device device) throws Exception {
        try (Pins pins = new Pins()) {
            new VirtualRanks(device, WARMING_THREADS).run();
            pins.begin();
            new VirtualRanks(device, THREADS).run();
            Say.line("pinned " + pins.end());
        }
    }

    private void run() throws Exception {
        long start = System.nanoTime();
        for (int thread = 0; thread < count; thread++) {
            int number = thread;
            start(() -> {
                begun.incrementAndGet();
                waitWithAll(number);
            });
        }
        awaitThatAllWait();
        long waiting = System.nanoTime();
        // Both ranks' threads wait before the first goes on.
        Request told = device.isend(null, other, ALL_WAIT);
        device.recv(null, other, ALL_WAIT);
        told.waitFor();
        release();
        finish();
        long released = System.nanoTime();
        for (int thread = 0; thread < count; thread++) {
            int number = thread;
            start(() -> exchange(number));
        }
        finish();
        Say.line(count + " threads: all waited after " + ms(waiting - start) + ", had all after " + ms(released - start)
                + ", exchanged after " + ms(System.nanoTime() - start));
    }

    private static String ms(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }

    private void start(Runnable body) throws ReflectiveOperationException {
        FutureTask<Void> task = new FutureTask<>(body, null);
        tasks.add(task);
        threads.add((Thread) starter.invoke(null, task));
    }

    private void finish() throws Exception {
        for (FutureTask<Void> task : tasks) {
            task.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        }
        tasks.clear();
        threads.clear();
    }

    /** One that runs or waits natively is runnable, one that has no carrier to begin on as well. */
    private void awaitThatAllWait() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            Map<Thread.State, Integer> states = new EnumMap<>(Thread.State.class);
            threads.forEach(thread -> states.merge(thread.getState(), 1, Integer::sum));
            if (states.getOrDefault(Thread.State.WAITING, 0) + states.getOrDefault(Thread.State.TIMED_WAITING, 0)
                    == count) {
                return;
            }
            Say.check(
                    System.nanoTime() - deadline < 0,
                    "of " + count + " virtual threads that should wait " + begun + " began, and all are " + states);
            Thread.sleep(1);
        }
    }

    /** In each of the blocking calls some threads wait, for short messages and long ones. */
    private void waitWithAll(int thread) {
        int words = words(thread);
        switch (thread % KINDS) {
            case 0 -> device.ssend(body(device.rank(), thread, words), other, thread);
            case 1 ->
                device.issend(body(device.rank(), thread, words), other, thread).waitFor();
            case 2 -> receive(thread, words);
            case 3 -> {
                Status status = device.probe(other, thread);
                Say.check(status.bytes() == words * 8L, "probed " + status);
                receive(thread, words);
            }
            default -> {
                long[] into = new long[words];
                device.irecv(into, other, thread).waitFor();
                check(into, thread);
            }
        }
    }

    private void release() {
        Request[] all = new Request[count];
        long[][] into = new long[count][];
        for (int thread = count - 1; thread >= 0; thread--) {
            if (thread % KINDS < KINDS_OF_SENDS) {
                into[thread] = new long[words(thread)];
                all[thread] = device.irecv(into[thread], other, thread);
            } else {
                all[thread] = device.isend(body(device.rank(), thread, words(thread)), other, thread);
            }
        }
        device.waitAll(all);
        for (int thread = 0; thread < count; thread++) {
            if (into[thread] != null) {
                check(into[thread], thread);
            }
        }
    }

    /** With the thread of the same number on the other rank. */
    private void exchange(int thread) {
        int words = words(thread);
        if (thread % 2 == device.rank()) {
            device.send(body(device.rank(), thread, words), other, thread);
            receive(thread, words);
        } else {
            receive(thread, words);
            device.ssend(body(device.rank(), thread, words), other, thread);
        }
    }

    private static int words(int thread) {
        return thread / KINDS % LONG_ONES == 0 ? MANY_WORDS : WORDS;
    }

    private void receive(int thread, int words) {
        long[] into = new long[words];
        device.recv(into, other, thread);
        check(into, thread);
    }

    private void check(long[] into, int thread) {
        Say.check(
                Arrays.equals(into, body(other, thread, into.length)),
                "the message of " + into.length + " words to thread " + thread + " came as " + into[0] + ", ...");
    }

    private static long[] body(int rank, int thread, int words) {
        long[] body = new long[words];
        Arrays.setAll(body, word -> ((long) rank << 40 | (long) thread << 20 | word) * 0x9E3779B97F4A7C15L);
        return body;
    }
}
