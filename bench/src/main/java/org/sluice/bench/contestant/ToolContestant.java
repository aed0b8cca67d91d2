package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Step;

/** A program that measures by itself: each step starts its server and its client and reads what the client prints. */
final class ToolContestant implements Contestant {
    private static final long END_MS = 10_000;
    private static final long POLL_MS = 20;
    private static final long NS_PER_MS = 1_000_000;
    /** Of a step that the tool itself calls void. */
    private static final int TRIES = 5;

    private static final int LINES_SHOWN = 40;

    private final String peer;
    private final MeasuringTool tool;
    private final Cores pinned;
    private final List<ChildProcess> running = new ArrayList<>();
    private boolean killed;

    /** @param pinned cores of client and server; none for no pinning */
    ToolContestant(String peer, MeasuringTool tool, Cores pinned) {
        this.peer = peer;
        this.tool = tool;
        this.pinned = pinned;
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public Timing timing() {
        return tool.timing();
    }

    @Override
    public void start(long timeoutMs) {
        // Each step starts it.
    }

    @Override
    public long[] compilerMs(long timeoutMs) {
        return new long[0];
    }

    @Override
    public long processorNs(long timeoutMs) {
        return NO_TIME;
    }

    @Override
    public void collectGarbage(long timeoutMs) {
        // It has none.
    }

    @Override
    public long[] run(Step step, long timeoutMs) throws ContestantFailure {
        List<String> lines = lines(step, timeoutMs);
        for (int i = 1; i < TRIES && tool.isVoid(lines); i++) {
            lines = lines(step, timeoutMs);
        }
        try {
            return tool.times(lines, step);
        } catch (IllegalArgumentException e) {
            throw new ContestantFailure(
                    peer + " printed something that is not understood here: " + e.getMessage() + "\n    "
                            + String.join("\n    ", lines.subList(0, Math.min(LINES_SHOWN, lines.size()))),
                    e);
        }
    }

    /** What the client printed. */
    private List<String> lines(Step step, long timeoutMs) throws ContestantFailure {
        long end = in(timeoutMs);
        List<String> lines = new ArrayList<>();
        try {
            int port = freePort();
            ChildProcess server = start(tool.server(step, port), 1, new ArrayList<>());
            // What takes long to begin there takes long to end, too.
            awaitListening(server, port, end + tool.startMs() * NS_PER_MS);
            ChildProcess client = start(tool.client(step, port), 0, lines);
            awaitGoodEnd("client", client, tool.startMs() == 0 ? end : in(timeoutMs));
            awaitGoodEnd("server", server, in(END_MS + tool.startMs() / 2));
        } catch (IOException e) {
            throw new ContestantFailure(peer + " did not start: " + e.getMessage(), e);
        } finally {
            endAll();
        }
        return lines;
    }

    private static long in(long ms) {
        return System.nanoTime() + ms * NS_PER_MS;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private ChildProcess start(List<String> command, int rank, List<String> lines)
            throws IOException, ContestantFailure {
        List<String> whole = new ArrayList<>();
        if (rank < pinned.count()) {
            whole.addAll(List.of("taskset", "-c", Integer.toString(pinned.number(rank))));
        }
        whole.addAll(command);
        synchronized (running) {
            if (killed) {
                throw new ContestantFailure(peer + " was not started: the harness is being ended");
            }
            ChildProcess process = ChildProcess.start(whole, Map.of(), null, lines::add);
            running.add(process);
            return process;
        }
    }

    private void awaitListening(ChildProcess server, int port, long end) throws ContestantFailure, IOException {
        while (!tool.isListening(port)) {
            if (!server.isAlive() || System.nanoTime() - end > 0) {
                throw new ContestantFailure(
                        peer + ": its server does not listen at port " + port + ": " + server.report());
            }
            server.awaitEnd(POLL_MS);
        }
    }

    private void awaitGoodEnd(String role, ChildProcess process, long end) throws ContestantFailure {
        boolean ended = process.awaitEnd(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        if (!ended || process.exitStatus() != 0) {
            throw new ContestantFailure(
                    peer + ": its " + role + (ended ? " failed: " : " did not end in time: ") + process.report());
        }
    }

    private void endAll() {
        synchronized (running) {
            running.stream().filter(Running::isAlive).forEach(Running::kill);
            running.clear();
        }
    }

    @Override
    public void kill() {
        synchronized (running) {
            killed = true;
            running.forEach(Running::kill);
        }
    }

    @Override
    public void close() {
        endAll();
    }
}
