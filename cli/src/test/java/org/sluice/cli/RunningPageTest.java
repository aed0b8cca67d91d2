package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Option;

/** What docs/reference/command-line.md says of run, before it comes to exec, names what there is, and nothing else. */
final class RunningPageTest {
    /** Which it hands on, and no user gives. */
    private static final List<String> OF_MPJRUN = List.of("--device", "--wdir");

    private static final Set<String> OF_THE_JVM =
            Set.of("--add-opens", "--add-exports", "--module-path", "--enable-native-access");

    private final String page = read();

    private static String read() {
        try {
            return Files.readString(Path.of(System.getProperty("sluice.root"), "docs", "reference", "command-line.md"))
                    .replaceFirst("(?s)\n## exec\n.*", "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Set<String> found(String pattern) {
        return Pattern.compile(pattern)
                .matcher(page)
                .results()
                .map(java.util.regex.MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void itsOptionsOfRunAreThoseOfTheCommand() {
        Set<String> declared = new TreeSet<>(Main.commandLine()
                .getSubcommands()
                .get("run")
                .getCommandSpec()
                .optionsMap()
                .keySet());
        declared.removeAll(List.of("-h", "--help", "-V", "--version", "--debug", "-n", "-np"));
        declared.removeAll(OF_MPJRUN);
        Set<String> named = found("--[a-z][a-z-]+");
        named.removeAll(OF_THE_JVM);
        named.remove("--help");
        assertEquals(declared, named);
    }

    @Test
    void itsVariablesAndPropertiesAreOptions() {
        Set<String> variables =
                Arrays.stream(Option.values()).map(Option::environmentVariable).collect(Collectors.toSet());
        assertTrue(
                variables.containsAll(found("SLUICE_[A-Z_]+")),
                found("SLUICE_[A-Z_]+").toString());
        assertTrue(found("`sluice\\.[a-z.]+`").stream()
                .allMatch(name -> Option.ofProperty(name.replace("`", "")).isPresent()));
    }

    @Test
    void itsClassesExist() throws ClassNotFoundException {
        Matcher names = Pattern.compile("org\\.sluice\\.[a-z.]+\\.[A-Z]\\w+").matcher(page);
        int count = 0;
        while (names.find()) {
            Class.forName(names.group());
            count++;
        }
        assertTrue(count >= 2, "only " + count + " classes are named");
    }
}
