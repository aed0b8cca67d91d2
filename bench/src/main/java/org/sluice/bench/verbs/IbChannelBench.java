package org.sluice.bench.verbs;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.report.BenchRecord;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;
import org.sluice.launch.JobResult;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RankOutput;

/**
 * {@code ./sluice bench ib-channel}: what the channel over verbs takes for a message by itself, over a library that is
 * simulated, without the time of that library's calls.
 */
public final class IbChannelBench {
    public static final String NAME = "ib-channel";

    public static final int SECONDS = 10;
    public static final int SECONDS_MOST = 3600;

    static final int BYTES = 8;
    /** What it may take, in nanoseconds. */
    static final int BAR_NS = 250;

    private static final int RANKS = 2;

    private final JavaHome java;
    private final Machine machine;
    private final PrintWriter out;
    private final List<String> records = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private IbChannelReading reading;

    public IbChannelBench(JavaHome java, Machine machine, PrintWriter out) {
        this.java = java;
        this.machine = machine;
        this.out = out;
    }

    /**
     * Prints a table.
     *
     * @throws IllegalStateException with the lines of what failed
     */
    public void run(int seconds) throws InterruptedException {
        Launcher launcher = new Launcher(
                        1, Program.ofClassPath(System.getProperty("java.class.path"), IbChannelRank.class.getName()))
                .java(java)
                .arguments(List.of(Integer.toString(seconds)))
                .graceSeconds(0)
                .messages(this::take)
                .output(RankOutput.captured((rank, error, line) -> take(line)));
        JobResult result = launcher.start().waitFor();
        if (result.status() != 0 || reading == null) {
            throw new IllegalStateException("the process ended with status " + result.status() + "; its lines:\n  "
                    + String.join("\n  ", lines));
        }
        report(reading);
    }

    private synchronized void take(String line) {
        IbChannelReading found = IbChannelReading.parse(line);
        if (found == null) {
            lines.add(line);
        } else {
            reading = found;
        }
    }

    private void report(IbChannelReading read) {
        out.println();
        line("ns that the ib channel itself takes for a message of %d B, one way, over a simulated library", BYTES);
        line("%9s %9s %9s %9s %15s %12s", "p50", "p90", "p99", "calls", "ns in calls", "instructions");
        line(
                "%9.1f %9.1f %9.1f %9.2f %15.1f %12s",
                read.at(0.5),
                read.at(0.9),
                read.at(0.99),
                read.calls(),
                read.callNs(),
                read.instructions() < 0 ? "-" : Long.toString(Math.round(read.instructions())));
        line("The time in calls is taken off. The bar is %d: %s.", BAR_NS, read.at(0.5) <= BAR_NS ? "met" : "missed");
        if (read.instructions() < 0) {
            line("Instructions could not be counted: %s.", read.why());
        }
        out.flush();
        records.add(BenchRecord.object(fields(read)));
    }

    private Map<String, Object> fields(IbChannelReading read) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", NAME);
        fields.put("peer", "sluice");
        fields.put("channel", "ib");
        fields.put("ranks", RANKS);
        fields.put("size", BYTES);
        fields.put("unit", "ns");
        fields.put("p50", tenths(read.at(0.5)));
        fields.put("p90", tenths(read.at(0.9)));
        fields.put("p99", tenths(read.at(0.99)));
        fields.put("p999", tenths(read.at(0.999)));
        fields.put("max", tenths(read.at(1)));
        fields.put("mean", tenths(read.mean()));
        fields.put("count", read.messages());
        fields.put("calls", tenths(read.calls()));
        fields.put("callNs", tenths(read.callNs()));
        if (read.instructions() >= 0) {
            fields.put("instructions", Math.round(read.instructions()));
        }
        fields.put("jdk", machine.jdk());
        fields.put("kernel", machine.kernel());
        fields.put("cpu", machine.cpu());
        fields.put("cores", machine.cores());
        return fields;
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    /** One JSON object. */
    public List<String> json() {
        return List.copyOf(records);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
