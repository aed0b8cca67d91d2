package org.sluice.bench.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.sluice.bench.contestant.ChildProcess;
import org.sluice.bench.contestant.ContestantFailure;
import org.sluice.bench.contestant.PeerBuild;
import org.sluice.bench.contestant.PeerProgram;

/**
 * The floor of this machine: a C program that makes as many connections, with as many send work requests, and nothing
 * else.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the process, until {@link #run} returns. <i>Fails</i>: an
 * {@link IllegalStateException} that says what it said last.
 */
final class LimitRun {
    static final String NAME = "limit";

    private static final long END_MS = 120_000;

    private final List<Integer> ends;
    private final int window;
    private final List<MemoryReading> readings = Collections.synchronizedList(new ArrayList<>());
    private final List<KernelCache> caches = Collections.synchronizedList(new ArrayList<>());

    /** @param ends of connections, at which it is to be read */
    LimitRun(List<Integer> ends, int window) {
        this.ends = ends;
        this.window = window;
    }

    void run() throws InterruptedException {
        ChildProcess process;
        try {
            Path program = PeerBuild.program(PeerProgram.BARE_CONNECTIONS);
            List<String> command = new ArrayList<>(List.of(program.toString(), Integer.toString(window)));
            ends.forEach(count -> command.add(Integer.toString(count)));
            process = ChildProcess.start(command, Map.of(), null, this::take);
        } catch (IOException | ContestantFailure e) {
            throw new IllegalStateException(
                    "the program that makes bare connections did not start: " + e.getMessage(), e);
        }
        boolean isOver = process.awaitEnd(END_MS);
        if (!isOver) {
            process.kill();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!isOver || process.exitStatus() != 0 || readings.size() != ends.size()) {
            throw new IllegalStateException("the program that makes bare connections "
                    + (isOver ? "failed" : "did not end within " + END_MS + " ms") + " after " + readings.size()
                    + " of " + ends.size() + " readings: " + process.report());
        }
    }

    private void take(String line) {
        MemoryReading reading = MemoryReading.parse(line);
        KernelCache cache = KernelCache.parse(line);
        if (reading != null) {
            readings.add(reading);
        } else if (cache != null) {
            caches.add(cache);
        }
    }

    List<MemoryReading> readings() {
        return List.copyOf(readings);
    }

    /** Empty where the kernel doesn't tell this user. */
    List<KernelCache> caches() {
        return List.copyOf(caches);
    }
}
