package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.bench.papers.PaperRun;
import org.sluice.bench.papers.Runs;
import picocli.CommandLine;

/** What {@code bench papers} and {@code bench --compare} take, and that the command line takes what they run. */
final class PapersTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... args) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println(failure.getMessage());
                    return failure instanceof IllegalArgumentException ? 2 : 1;
                })
                .execute(args);
    }

    static Stream<List<String>> runs() {
        return Runs.all().stream().flatMap(PapersTest::both).filter(arguments -> !arguments.isEmpty());
    }

    private static Stream<List<String>> both(PaperRun run) {
        return Stream.of(run.arguments(), run.quick());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theCommandLineTakesEachRun(List<String> arguments) {
        BenchCommand command = new BenchCommand();
        List<String> words = new ArrayList<>(arguments);
        words.addAll(List.of("--json", folder.resolve("x").toString()));
        new CommandLine(command).parseArgs(words.toArray(String[]::new));
        assertTrue(command.planned().stream().allMatch(plan -> plan.sizes().size() > 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "papers | name a new folder with --report",
                "papers --report=a --from=b | name a new folder with --report",
                "papers --report=a --only=A-11,Z-9 | there is no figure 'Z-9'; there are A-11, A-12",
                "papers --report=a --sizes=8 | --sizes means nothing to papers, which has runs of its own",
                "papers latency --report=a | papers is measured by itself",
                "papers --from=/proc/none | has no records; name a folder of --report",
                "papers --from=b --quick | nothing is measured",
                "latency --quick | --quick means nothing to latency: it is for papers",
                "latency --only=A-11 | --only A-11 means nothing to latency",
                "--compare /proc/none /proc/nothing | none' has no records; name a folder of --report or a file",
                "--compare a b --sizes=8 | --sizes means nothing to --compare, which measures nothing",
                "rate --compare a b | --compare measures nothing, and takes no benchmark's name"
            })
    void whatCantBeIsRefused(String args, String message) {
        assertEquals(2, bench(args.split(" ")), () -> out.toString());
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void aFolderThatHasARunIsLeftAlone() throws Exception {
        Files.writeString(folder.resolve("runs.jsonl"), "");
        assertEquals(2, bench("papers", "--report", folder.toString()));
        assertTrue(err.toString().contains("has an earlier run; name another folder"), err::toString);
    }

    @Test
    void theStatusSaysWhetherSomethingBecameSlower() throws Exception {
        Path before = Files.writeString(folder.resolve("before"), records(100));
        Path after = Files.writeString(folder.resolve("after"), records(150));
        assertEquals(PapersSession.SLOWER, bench("--compare", before.toString(), after.toString()), out::toString);
        assertTrue(out.toString().startsWith("slower 1.49 times: latency shm sluice, 8 B, ns: "), out::toString);
        assertEquals(0, bench("--compare", after.toString(), before.toString()), out::toString);
        assertEquals(0, bench("--compare", after.toString(), after.toString()), out::toString);
    }

    private static String records(int nanos) {
        StringBuilder records = new StringBuilder();
        for (int round = 0; round < 6; round++) {
            records.append("{\"benchmark\":\"latency\",\"peer\":\"sluice\",\"channel\":\"shm\","
                            + "\"size\":8,\"unit\":\"ns\",\"p50\":")
                    .append(nanos + round)
                    .append(",\"state\":\"near\"}\n");
        }
        return records.toString();
    }
}
