package org.sluice.bench.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The benchmarks that {@code ./sluice bench} knows. */
public enum Benchmark {
    /** Ping-pong; half a round trip. */
    LATENCY("ns", "half a round trip"),
    /** Windows of messages one way, each window answered once. */
    BANDWIDTH("MB/s", "windows of messages one way, 1 MB = 10^6 bytes"),
    /** Windows of messages both ways at once. */
    BIBANDWIDTH("MB/s", "windows of messages both ways at once, sum of both"),
    /** As bandwidth, counted in messages. */
    RATE("msg/s", "windows of messages one way"),
    /** Ring: every rank sends to and receives from both of its neighbours (k = 1). */
    NEIGHBOR("ns", "one exchange with both neighbours in the ring");

    private final String unit;
    private final String meaning;

    Benchmark(String unit, String meaning) {
        this.unit = unit;
        this.meaning = meaning;
    }

    public String unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether messages go out in windows. */
    public boolean windowed() {
        return this == BANDWIDTH || this == BIBANDWIDTH || this == RATE;
    }

    /** Whether a small value is a good one. */
    public boolean lowerIsBetter() {
        return !windowed();
    }

    public static Benchmark of(String label) {
        for (Benchmark benchmark : values()) {
            if (benchmark.label().equals(label)) {
                return benchmark;
            }
        }
        throw new IllegalArgumentException("no benchmark is called '" + label + "'; there are " + labels());
    }

    public static String labels() {
        return Arrays.stream(values()).map(Benchmark::label).collect(Collectors.joining(", "));
    }
}
