package org.sluice.cli.vm;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.sluice.bench.contestant.ChildProcess;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.contestant.PeerBuild;
import org.sluice.bench.contestant.PeerProgram;

/**
 * How often the host's time-stamp counter counts, which is what a translated guest's does. A guest's kernel finds it
 * out with an emulated timer: on a busy host it is several times wrong, and so is all time in the guest then.
 *
 * <p>Proof: {@code HostCounterTest}, {@code VmProcessTest}.
 */
final class HostCounter {
    private static final PeerProgram PROGRAM = new PeerProgram("vm", "gcc", "counter", List.of());
    private static final long LIMIT_MS = 20_000;
    private static final long LEAST_KHZ = 100_000;
    private static final long MOST_KHZ = 20_000_000;

    private HostCounter() {}

    /** @return empty where that can't be found out; standard error says why, and the guest's kernel does what it can */
    static OptionalLong khz() throws InterruptedException {
        try {
            AtomicReference<String> printed = new AtomicReference<>("");
            ChildProcess program =
                    ChildProcess.start(List.of(PeerBuild.program(PROGRAM).toString()), Map.of(), null, printed::set);
            if (!program.awaitEnd(LIMIT_MS)) {
                program.kill();
            }
            // In this order: the report waits until what was printed has been read.
            String report = program.report();
            return OptionalLong.of(believed(printed.get(), report));
        } catch (IOException | ContestantFailure e) {
            System.err.println(
                    "sluice: the guest's clock may be wrong, as the host's counter is unknown: " + e.getMessage());
            return OptionalLong.empty();
        }
    }

    static long believed(String printed, String report) throws ContestantFailure {
        try {
            long khz = Long.parseLong(printed);
            if (khz >= LEAST_KHZ && khz <= MOST_KHZ) {
                return khz;
            }
        } catch (NumberFormatException e) {
            throw new ContestantFailure("its program printed no number of kHz: " + report);
        }
        throw new ContestantFailure(
                "its program printed " + printed + " kHz, and " + LEAST_KHZ + " to " + MOST_KHZ + " are plausible");
    }
}
