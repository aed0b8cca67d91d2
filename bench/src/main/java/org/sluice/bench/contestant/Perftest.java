package org.sluice.bench.contestant;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.plan.Step;

/**
 * The programs of perftest, the verbs community's own benchmark: ib_send_lat and ib_write_lat, which print the time of
 * each iteration, and ib_write_bw, which prints the bandwidth over all.
 */
enum Perftest implements MeasuringTool {
    SEND_LAT("ib_send_lat", Contestant.Timing.EACH),
    WRITE_LAT("ib_write_lat", Contestant.Timing.EACH),
    WRITE_BW("ib_write_bw", Contestant.Timing.TOTAL);

    private static final String[] LATENCY_HEAD = {
        "#bytes",
        "#iterations",
        "t_min[usec]",
        "t_max[usec]",
        "t_typical[usec]",
        "t_avg[usec]",
        "t_stdev[usec]",
        "99%",
        "percentile[usec]",
        "99.9%",
        "percentile[usec]"
    };
    private static final int LATENCY_WORDS = 9;
    private static final String[] TIMES_HEAD = {"#,", "usec"};
    private static final String[] BANDWIDTH_HEAD = {
        "#bytes", "#iterations", "BW", "peak[MB/sec]", "BW", "average[MB/sec]", "MsgRate[Mpps]"
    };
    private static final int BANDWIDTH_WORDS = 5;
    private static final double MIB = 1 << 20;
    private static final double MEGA = 1e6;
    /** The last digits that are printed. */
    private static final double BANDWIDTH_DIGIT = 0.01;

    private static final double RATE_DIGIT = 1e-6;
    private static final double NS_PER_US = 1e3;
    private static final double NANO = 1e9;
    /** It refuses fewer. */
    private static final int ITERATIONS_LEAST = 5;

    private final String program;
    private final Contestant.Timing timing;

    Perftest(String program, Contestant.Timing timing) {
        this.program = program;
        this.timing = timing;
    }

    String program() {
        return program;
    }

    @Override
    public Contestant.Timing timing() {
        return timing;
    }

    @Override
    public List<String> server(Step step, int port) {
        // -F: a processor whose clock may change is no reason to give up.
        List<String> command = new ArrayList<>(List.of(
                program,
                "-F",
                "-d",
                RdmaDevices.active().orElse(""),
                "-p",
                Integer.toString(port),
                "-s",
                Integer.toString(step.size()),
                "-n",
                Integer.toString(iterations(step))));
        command.addAll(
                timing == Contestant.Timing.EACH ? List.of("-U") : List.of("-t", Integer.toString(step.window())));
        return command;
    }

    @Override
    public List<String> client(Step step, int port) {
        List<String> command = server(step, port);
        command.add("127.0.0.1");
        return command;
    }

    /** One more than it will tell the times of: they are differences. */
    private int iterations(Step step) {
        return timing == Contestant.Timing.EACH
                ? Math.max(ITERATIONS_LEAST, step.iterations() + 1)
                : Math.max(ITERATIONS_LEAST, step.iterations() * step.window());
    }

    @Override
    public long[] times(List<String> lines, Step step) {
        return timing == Contestant.Timing.EACH ? each(lines, step) : new long[] {total(lines, step)};
    }

    private long[] each(List<String> lines, Step step) {
        row(lines, step, LATENCY_WORDS, LATENCY_HEAD);
        List<String[]> rows = ToolLines.below(lines, TIMES_HEAD);
        if (rows.size() != iterations(step) - 1) {
            throw new IllegalArgumentException(
                    "it told the times of " + rows.size() + " iterations where there were " + (iterations(step) - 1));
        }
        long[] times = new long[step.batches()];
        for (int i = 0; i < times.length; i++) {
            String[] words = rows.get(step.leadIn() + i);
            ToolLines.expect(words[0], step.leadIn() + i + 1 + ",", "number of an iteration");
            // It halves the round trip by itself.
            times[i] = Math.round(2 * NS_PER_US * ToolLines.positive(words.length == 2 ? words[1] : "", "time"));
        }
        return times;
    }

    /** Of all windows of the step. */
    private long total(List<String> lines, Step step) {
        String[] words = row(lines, step, BANDWIDTH_WORDS, BANDWIDTH_HEAD);
        double messages = (double) step.window() * step.iterations();
        double bandwidth = ToolLines.number(words[3], "average bandwidth");
        double rate = ToolLines.number(words[4], "message rate");
        // Both are rounded: the one that lost less.
        double seconds = bandwidth / BANDWIDTH_DIGIT > rate / RATE_DIGIT
                ? messages * step.size() / (bandwidth * MIB)
                : messages / (ToolLines.positive(words[4], "message rate") * MEGA);
        return Math.round(seconds * NANO);
    }

    /**
     * It compares the processor's counter with the clock first, and where others use the processor meanwhile that may
     * fail.
     */
    @Override
    public boolean isVoid(List<String> lines) {
        return lines.stream().anyMatch(line -> line.startsWith("Correlation coefficient"));
    }

    private String[] row(List<String> lines, Step step, int count, String... head) {
        String[] words = ToolLines.below(lines, head).get(0);
        if (words.length != count) {
            throw new IllegalArgumentException("the row '" + String.join(" ", words) + "' has " + words.length
                    + " columns, expected were " + count);
        }
        ToolLines.expect(words[0], Integer.toString(step.size()), "size");
        ToolLines.expect(words[1], Integer.toString(iterations(step)), "count of iterations");
        return words;
    }
}
