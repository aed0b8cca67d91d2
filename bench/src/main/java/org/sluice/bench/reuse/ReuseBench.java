package org.sluice.bench.reuse;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

/**
 * {@code ./sluice bench reuse}: long messages over verbs out of memory that stays registered as long as there is room
 * (the pin-down cache), and out of memory that is registered for each, over how often a buffer is used again.
 */
public final class ReuseBench {
    public static final String NAME = "reuse";
    /** Of a buffer, before the next. */
    public static final List<Integer> USES = List.of(1, 2, 4, 8, 16);
    /** When the user names none. */
    public static final List<Integer> SIZES = List.of(64 << 10, 1 << 20);
    /** What goes as a long message everywhere, and fits twice into what stays registered. */
    public static final int SIZE_LEAST = 16 << 10;

    public static final int SIZE_MOST = 2 << 20;

    public static final int SECONDS = 30;
    public static final int SECONDS_MOST = 3600;

    /** As records name them. */
    public static final List<String> PEERS = List.of("sluice", "no-cache");

    private static final int ROUNDS = 5;
    private static final double MICRO = 1e3;

    private final JavaHome java;
    private final Machine machine;
    private final PrintWriter out;
    private final List<String> records = new ArrayList<>();

    public ReuseBench(JavaHome java, Machine machine, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.out = out;
    }

    /**
     * Jobs of both, in turns, and a table of what they took.
     *
     * @param sizes bytes of messages, {@link #SIZE_LEAST} to {@link #SIZE_MOST}
     * @param seconds that all of it takes about, without the jobs' start
     * @throws IllegalStateException with the last lines of what failed
     */
    public void run(List<Integer> sizes, int seconds) throws InterruptedException {
        // What is timed, and half as much before it.
        long each = Math.max(1, seconds * 2_000L / (3L * ROUNDS * PEERS.size() * sizes.size() * USES.size()));
        List<List<ReuseReading>> on = new ArrayList<>();
        List<List<ReuseReading>> off = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            on.add(new ReuseRun(java, sizes, each, true).readings());
            record(PEERS.get(0), round, on.get(round));
            off.add(new ReuseRun(java, sizes, each, false).readings());
            record(PEERS.get(1), round, off.get(round));
        }
        out.println();
        line(
                "us one way, the median of %d jobs each; ib, direct buffers, 2 ranks; a buffer is used so often, then"
                        + " the next of a ring that is larger than what stays registered",
                ROUNDS);
        line("%10s %8s %12s %12s %8s", "bytes", "uses", PEERS.get(0), PEERS.get(1), "ratio");
        for (int i = 0; i < on.get(0).size(); i++) {
            long cached = median(i, on);
            long uncached = median(i, off);
            ReuseReading reading = on.get(0).get(i);
            line(
                    "%10d %8d %12.1f %12.1f %8.2f",
                    reading.size(), reading.uses(), cached / MICRO, uncached / MICRO, (double) cached / uncached);
        }
        out.flush();
    }

    private void record(String peer, int round, List<ReuseReading> readings) {
        for (ReuseReading reading : readings) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("benchmark", NAME);
            fields.put("peer", peer);
            fields.put("channel", "ib");
            fields.put("buffer", "direct");
            fields.put("ranks", 2);
            fields.put("size", reading.size());
            fields.put("uses", reading.uses());
            fields.put("unit", "ns");
            fields.put("p50", reading.nanos());
            fields.put("count", reading.buffers());
            fields.put("registrations", reading.registrations());
            fields.put("round", round + 1);
            fields.put("jdk", machine.jdk());
            fields.put("kernel", machine.kernel());
            fields.put("cpu", machine.cpu());
            fields.put("cores", machine.cores());
            records.add(BenchRecord.object(fields));
        }
    }

    private static long median(int index, List<List<ReuseReading>> rounds) {
        long[] all = rounds.stream()
                .mapToLong(round -> round.get(index).nanos())
                .sorted()
                .toArray();
        return all[all.length / 2];
    }

    /** One JSON object for each reading. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
