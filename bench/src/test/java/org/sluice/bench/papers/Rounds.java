package org.sluice.bench.papers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.report.BenchRecord;

/** Records of our own making. */
final class Rounds {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    private Rounds() {}

    /** Of a latency, in ns. */
    static Rounds latency(String peer, int size) {
        return new Rounds()
                .with("benchmark", "latency")
                .with("peer", peer)
                .with("channel", "shm")
                .with("ranks", 2)
                .with("size", size)
                .with("unit", "ns")
                .with("state", "near")
                .with("cpu", "<cpu>")
                .with("cores", 2);
    }

    Rounds with(String field, Object value) {
        fields.put(field, value);
        return this;
    }

    /** One for each value. */
    List<String> of(String field, double... values) {
        List<String> lines = new ArrayList<>();
        for (double value : values) {
            fields.put(field, value);
            lines.add(BenchRecord.object(fields));
        }
        return lines;
    }

    static List<RunRecord> parsed(List<String> lines) {
        return lines.stream().flatMap(line -> RunRecord.parse(line).stream()).toList();
    }
}
