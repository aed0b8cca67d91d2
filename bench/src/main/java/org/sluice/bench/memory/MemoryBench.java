package org.sluice.bench.memory;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

/**
 * {@code ./sluice bench memory}: what a connection over verbs costs, with few send work requests and with as many as
 * MPI used to take, beside what the machine takes for one with nothing on top.
 */
public final class MemoryBench {
    public static final String NAME = "memory";

    /** Send work requests to a peer: the paper's, and 8 and 16. */
    public static final List<Integer> WINDOWS = List.of(5, 8, 10, 16, 20, 40, 100, 200);

    /** As records name them. */
    public static final List<String> PEERS = List.of("sluice", LimitRun.NAME);

    private final JavaHome java;
    private final Machine machine;
    private final PrintWriter out;
    private final List<String> records = new ArrayList<>();

    public MemoryBench(JavaHome java, Machine machine, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.out = out;
    }

    /**
     * Prints a table for each window.
     *
     * @throws IllegalStateException with the last lines of what failed
     */
    public void run() throws InterruptedException {
        for (int window : WINDOWS) {
            List<MemoryReading> readings = new MemoryRun(java, MemoryRun.RANKS, window).readings();
            LimitRun limit = new LimitRun(
                    readings.stream().map(MemoryReading::connections).toList(), window);
            limit.run();
            out.println();
            out.print(MemoryTable.of(window, readings, limit.readings()));
            if (window == WINDOWS.get(0) && !limit.caches().isEmpty()) {
                out.println();
                out.print(MemoryTable.ofCaches(limit.caches()));
            }
            out.flush();
            record(PEERS.get(0), window, readings);
            record(PEERS.get(1), window, limit.readings());
        }
        out.println();
        out.print(MemoryTable.ofPaper());
        out.flush();
    }

    /**
     * One JSON object for each reading; the value is what it is above the first. That of the last says what each
     * further connection takes, by the line through them.
     */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void record(String peer, int window, List<MemoryReading> readings) {
        MemoryReading last = readings.get(readings.size() - 1);
        for (MemoryReading reading : readings) {
            Map<String, Object> fields = fields(peer, window, readings.get(0), reading);
            if (reading == last) {
                fields.put("connectionBytes", MemoryTable.model(readings).perConnection());
            }
            records.add(BenchRecord.object(fields));
        }
    }

    private Map<String, Object> fields(String peer, int window, MemoryReading first, MemoryReading reading) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", peer);
        fields.put("channel", "ib");
        fields.put("ranks", MemoryRun.RANKS);
        fields.put("size", reading.connections());
        fields.put("unit", "bytes");
        fields.put("mean", reading.total() - first.total());
        fields.put("heapBytes", reading.heap() - first.heap());
        fields.put("nativeBytes", reading.nativeBytes() - first.nativeBytes());
        fields.put("queueBytes", reading.queues() - first.queues());
        fields.put("kernelBytes", reading.kernel() - first.kernel());
        fields.put("window", window);
        fields.put("count", 1);
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        return fields;
    }
}
