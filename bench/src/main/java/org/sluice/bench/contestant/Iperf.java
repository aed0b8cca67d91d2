package org.sluice.bench.contestant;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.plan.Step;

/**
 * iperf3 with one stream, whose bytes its server counts as they come: what one socket carries, with no messages. As
 * Sluice's own, its sockets have the buffers that the kernel gives them, and wait for nothing ({@code TCP_NODELAY}).
 */
final class Iperf implements MeasuringTool {
    static final String PROGRAM = "iperf3";
    /** The longest write that it takes. */
    static final int LARGEST = 1 << 20;

    private static final int RANKS = 2;
    /** Fewer are over before its server has begun to count. */
    private static final long BYTES_LEAST = 64L << 20;

    private static final int WRITES_LEAST = 64;
    private static final long WRITES_ENOUGH = 50_000;
    private static final double NANO = 1e9;

    private final Wire wire;

    /** @param wire with the client at this end of it, as rank 0, and the server at the other */
    Iperf(Wire wire) {
        this.wire = wire;
    }

    @Override
    public Contestant.Timing timing() {
        return Contestant.Timing.TOTAL;
    }

    @Override
    public boolean isListening(int port) throws IOException {
        return wire.isListening(1, RANKS, port);
    }

    private List<String> command(int rank, String... words) {
        List<String> command = new ArrayList<>(wire.prefix(rank, RANKS));
        command.add(PROGRAM);
        command.addAll(List.of(words));
        return command;
    }

    @Override
    public List<String> server(Step step, int port) {
        return command(1, "-s", "-1", "-B", wire.address(1, RANKS).getHostAddress(), "-p", Integer.toString(port));
    }

    @Override
    public List<String> client(Step step, int port) {
        return command(
                0,
                "-c",
                wire.address(1, RANKS).getHostAddress(),
                "-p",
                Integer.toString(port),
                "-l",
                Integer.toString(step.size()),
                "-k",
                Long.toString(writes(step)),
                "-N",
                "-J");
    }

    /** As many as the step has messages, or what takes it long enough. */
    private static long writes(Step step) {
        long enough = Math.min(WRITES_ENOUGH, Math.max(WRITES_LEAST, BYTES_LEAST / step.size()));
        return Math.max(enough, (long) step.iterations() * step.window());
    }

    /** The time that the step's messages take at the rate at which bytes came. */
    @Override
    public long[] times(List<String> lines, Step step) {
        try {
            JsonObject root = JsonParser.parseString(String.join("\n", lines)).getAsJsonObject();
            JsonObject test = root.getAsJsonObject("start").getAsJsonObject("test_start");
            ToolLines.expect(test.get("blksize").getAsString(), Integer.toString(step.size()), "size");
            ToolLines.expect(test.get("num_streams").getAsString(), "1", "number of streams");
            JsonObject received = root.getAsJsonObject("end").getAsJsonObject("sum_received");
            double bytes = ToolLines.positive(received.get("bytes").getAsString(), "count of bytes that came");
            double seconds = ToolLines.positive(received.get("seconds").getAsString(), "time");
            return new long[] {Math.round(NANO * step.size() * step.iterations() * step.window() * seconds / bytes)};
        } catch (JsonParseException | IllegalStateException | NullPointerException e) {
            throw new IllegalArgumentException("it is no report of iperf3's (" + e.getMessage() + ")", e);
        }
    }
}
