package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code ./sluice run} refuses before it starts anything. */
final class RunCommandTest {
    private static String refusal(String... words) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(Arrays.asList(words));
        all.addAll(List.of("-cp", "/nowhere", "my.Missing"));
        assertEquals(CommandLine.ExitCode.USAGE, line.execute(all.toArray(String[]::new)), () -> all + ": " + err);
        return err.toString().lines().findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n 2 --here 5 | --here 5 is out of range: of the job's 2 ranks (-n) 1 to 2 may be started here, from"
                        + " rank 0 on; leave --here out to start all of them",
                "-n 2 --here 5 --listen 127.0.0.2:7000 | --here 5 is out of range: of the job's 2 ranks (-n) 1 to 2"
                        + " may be",
                "-n 2 --here 0 | --here 0 is out of range: of the job's 2 ranks (-n) 1 to 2 may be",
                "-n 4 --here 2 | --here 2 leaves ranks 2 to 3 to other nodes, which need --listen HOST:PORT to find"
                        + " this job; leave --here out to start all ranks here",
                "-n 2 --here 2 | there is no class my.Missing on the class path"
            })
    void howManyRanksAreHereIsRefusedForWhatIsWrongWithIt(String words, String expected) {
        String said = refusal(words.split(" "));
        assertTrue(said.startsWith("sluice: " + expected), said);
    }
}
