package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... args) {
        return new CommandLine(new BenchCommand()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "latenzy | latency, bandwidth, bibandwidth, rate, neighbor",
        "--channel=tcp | threads, shm, ib, auto",
        "--buffer=heap | array, direct, message",
        "--api=handler | blocking, request",
        "--sizes=8,x | 8,1k,64k,1m",
        "--ranks=1 | 2 to 64",
        "--ranks=4 | more are for neighbor",
        "--iterations=-1 | 0 to",
        "--seconds=abc | --seconds",
        "--crowd=9 | there is no crowd in latency",
        "--crowd=0 | 1 to 1000000",
        "--crowd=1000001 | 1 to 1000000",
        "--peers=openmpi,lam | limit, openmpi, openmpi-ucx, mpich, aeron",
        "--java=/nowhere | bin/java",
        "--json=/nowhere/x.json | in a folder that exists",
        "--report=/etc/hosts | that is a file",
        "--nonsense | --nonsense"})
    void aBadValueIsRefusedWithWhatIsAllowed(String argument, String expected) {
        assertEquals(2, bench(argument), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
    }

    @Test
    void blockingCallsAreRefusedWhereEverybodySendsAtOnce() {
        assertEquals(2, bench("bibandwidth", "--api", "blocking"));
        assertTrue(err.toString().contains("--api request"), err::toString);
    }

    @Test
    void peersAreListedWithWhatToInstall() {
        assertEquals(0, bench("--peers", "list"), err::toString);
        for (String peer : new String[] {"limit", "openmpi", "openmpi-ucx", "mpich", "aeron"}) {
            assertTrue(out.toString().contains(peer), out::toString);
        }
        assertTrue(out.toString().contains("installed"), out::toString);
    }

    @Test
    void helpNamesEveryOption() {
        assertEquals(0, bench("--help"));
        for (String option : new String[] {"--channel", "--ranks", "--sizes", "--buffer", "--api", "--iterations", "--seconds", "--crowd", "pin",
            "--java", "--peers", "--json", "--report", "--rewrite", "--verify"}) {
            assertTrue(out.toString().contains(option), option + " in " + out);
        }
    }
}
