package org.sluice.bench.contestant;

import java.io.IOException;
import java.util.List;
import org.sluice.bench.plan.Step;

/**
 * Somebody else's program that measures by itself: a server and a client, started for each step and told all on the
 * command line.
 */
interface MeasuringTool {
    /** @param port of TCP, at which the server listens for the client */
    List<String> server(Step step, int port);

    List<String> client(Step step, int port);

    Contestant.Timing timing();

    /** Whether its server listens there; looked up from outside, as a connection would be taken for the client's. */
    default boolean isListening(int port) throws IOException {
        return ListeningPorts.contain("/proc/net", port);
    }

    /** How much longer than a step its server may take until it listens. */
    default long startMs() {
        return 0;
    }

    /**
     * What the client measured.
     *
     * @param lines that it printed
     * @return nanoseconds of each batch of the step
     * @throws IllegalArgumentException when they don't have the shape that is known here, or are of another step
     */
    long[] times(List<String> lines, Step step);

    /**
     * Whether the client says itself that its figures are of no use, through no fault of what it measured: it is to be
     * run again.
     */
    default boolean isVoid(List<String> lines) {
        return false;
    }
}
