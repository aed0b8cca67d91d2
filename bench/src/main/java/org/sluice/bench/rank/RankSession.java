package org.sluice.bench.rank;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Step;
import org.sluice.bench.wire.LineSocket;

/**
 * One rank's talk with the harness: connects back with the token from its environment, says that it is ready, then
 * answers each line with one line. Between steps it blocks in a queue and burns nothing.
 *
 * <p><i>Thread</i>: the rank's. <i>Fails</i>: what a step throws is answered as {@code ERR}; when the harness has
 * ended, so does the process, whatever it was doing.
 */
final class RankSession {
    static final String ADDRESS = "BENCH_ADDRESS";
    static final String TOKEN = "BENCH_TOKEN";
    /** Core numbers by rank; empty for no pinning. */
    static final String CORES = "BENCH_CORES";

    private final int rank;
    private final CompilerTime compilers = new CompilerTime();
    private final OperatingSystemMXBean processor = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private volatile boolean leaving;

    RankSession(int rank) {
        this.rank = rank;
    }

    void serve(Steps steps) throws IOException {
        String address = environment(ADDRESS);
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket(
                InetAddress.getByName(address.substring(0, colon)), Integer.parseInt(address.substring(colon + 1)));
        try (LineSocket harness = new LineSocket(socket, this::harnessEnded)) {
            harness.send("HELLO " + environment(TOKEN) + " " + rank);
            // Last of all: threads that were started earlier may use every core, and code that asked for the number of
            // processors got that of the machine.
            Cores cores = Cores.parse(environment(CORES));
            if (rank < cores.count()) {
                Cores.pinCaller(cores.number(rank));
                steps.pinned(cores.number(rank));
            }
            harness.send("READY");
            String answer;
            do {
                answer = answer(steps, harness.receive());
                harness.send(answer);
            } while (!answer.equals("BYE"));
            steps.close();
        }
    }

    private void harnessEnded() {
        if (!leaving) {
            Runtime.getRuntime().halt(0);
        }
    }

    private String answer(Steps steps, String line) {
        try {
            switch (line) {
                case "GC":
                    System.gc();
                    return "OK";
                case "COMPILERS":
                    return "OK " + compilers.ms() + " "
                            + ProcessHandle.current().pid();
                case "PROCESSOR":
                    return "OK " + processor.getProcessCpuTime() + " "
                            + ProcessHandle.current().pid();
                case "QUIT":
                    leaving = true;
                    return "BYE";
                default:
                    return result(steps.run(Step.decode(line)));
            }
        } catch (Throwable e) {
            // Whatever it is: the harness reports it and ends this contestant.
            return "ERR " + e.toString().replace('\n', ' ');
        }
    }

    private static String result(long[] samples) {
        StringBuilder line = new StringBuilder("OK");
        for (long sample : samples) {
            line.append(' ').append(sample);
        }
        return line.toString();
    }

    private static String environment(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException("the environment has no " + name + ": ranks are started by ./sluice bench");
        }
        return value;
    }
}
