package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What the command line says of failures that it knows nothing of. */
final class MainTest {

    @Command(name = "fails")
    private record Fails(IOException failure) implements Callable<Integer> {
        @Override
        public Integer call() throws IOException {
            throw failure;
        }
    }

    private static String said(IOException failure) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        CommandLine fails = new CommandLine(new Fails(failure));
        line.addSubcommand(fails);
        fails.setExecutionExceptionHandler(line.getExecutionExceptionHandler());
        assertEquals(1, line.setErr(new PrintWriter(err, true)).execute("fails"));
        return err.toString().lines().findFirst().orElseThrow();
    }

    @Test
    void aFileThatCannotBeUsedIsNamedWithTheReason() {
        Map.of(
                        new AccessDeniedException("/a/b"),
                        "sluice: '/a/b': permission denied; see whether ",
                        new NoSuchFileException("/a/b"),
                        "sluice: '/a/b': no such file or folder; see whether ",
                        new IOException("connection refused"),
                        "sluice: connection refused")
                .forEach((failure, expected) -> {
                    String said = said(failure);
                    assertEquals(expected, said.substring(0, Math.min(said.length(), expected.length())), said);
                });
    }
}
