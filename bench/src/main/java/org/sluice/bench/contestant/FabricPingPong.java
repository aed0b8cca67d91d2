package org.sluice.bench.contestant;

import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.plan.Step;

/** libfabric's own ping-pong on the message endpoint of its verbs provider; it prints the mean over all iterations. */
final class FabricPingPong implements MeasuringTool {
    static final String PROGRAM = "fi_pingpong";

    private static final String[] HEAD = {"bytes", "#sent", "#ack", "total", "time", "MB/sec", "usec/xfer", "Mxfers/sec"
    };
    private static final int SENT = 1;
    private static final int ACK = 2;
    private static final int MEAN = 6;
    private static final double NS_PER_US = 1e3;

    @Override
    public Contestant.Timing timing() {
        return Contestant.Timing.TOTAL;
    }

    private static List<String> command(Step step) {
        return new ArrayList<>(List.of(
                PROGRAM,
                "-p",
                "verbs",
                "-e",
                "msg",
                "-d",
                RdmaDevices.active().orElse(""),
                "-I",
                Integer.toString(step.iterations()),
                "-S",
                Integer.toString(step.size())));
    }

    @Override
    public List<String> server(Step step, int port) {
        List<String> command = command(step);
        command.addAll(List.of("-B", Integer.toString(port)));
        return command;
    }

    @Override
    public List<String> client(Step step, int port) {
        List<String> command = command(step);
        command.addAll(List.of("-P", Integer.toString(port), "127.0.0.1"));
        return command;
    }

    @Override
    public long[] times(List<String> lines, Step step) {
        String[] words = ToolLines.below(lines, HEAD).get(0);
        if (words.length != HEAD.length) {
            throw new IllegalArgumentException("the row '" + String.join(" ", words) + "' has " + words.length
                    + " columns, expected were " + HEAD.length);
        }
        // Counts are rounded to thousands and more, so only their equality says something.
        ToolLines.expect(words[ACK], "=" + words[SENT], "count of what was acknowledged");
        return new long[] {
            Math.round(2 * NS_PER_US * step.iterations() * ToolLines.positive(words[MEAN], "time of a transfer"))
        };
    }
}
