package org.sluice.bench.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Step;

/** A tool whose server is on another node, where its client finds it by the last word of its command. */
final class ServerOnNode implements MeasuringTool {
    private static final int RANKS = 2;

    private final MeasuringTool tool;
    private final Wire wire;

    private ServerOnNode(MeasuringTool tool, Wire wire) {
        this.tool = tool;
        this.wire = wire;
    }

    /** The tool itself where all is on this machine. */
    static MeasuringTool of(BenchPlan plan, MeasuringTool tool) {
        return Wire.isAcross() ? new ServerOnNode(tool, Wire.of(plan.nodes())) : tool;
    }

    @Override
    public List<String> server(Step step, int port) {
        List<String> command = new ArrayList<>(wire.prefix(1, RANKS));
        command.addAll(tool.server(step, port));
        return command;
    }

    @Override
    public List<String> client(Step step, int port) {
        List<String> command = new ArrayList<>(tool.client(step, port));
        command.set(command.size() - 1, wire.address(1, RANKS).getHostAddress());
        return command;
    }

    @Override
    public Contestant.Timing timing() {
        return tool.timing();
    }

    @Override
    public boolean isListening(int port) throws IOException {
        return wire.isListening(1, RANKS, port);
    }

    @Override
    public long startMs() {
        // To start it, and to ask for it at least once.
        return 2 * Wire.ACROSS_MS;
    }

    @Override
    public long[] times(List<String> lines, Step step) {
        return tool.times(lines, step);
    }

    @Override
    public boolean isVoid(List<String> lines) {
        return tool.isVoid(lines);
    }
}
