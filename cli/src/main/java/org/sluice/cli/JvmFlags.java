package org.sluice.cli;

import java.util.List;
import java.util.Set;

/**
 * What the java command takes before a program, up to JDK 26; whatever begins with -X or -D is for the JVM to judge.
 */
final class JvmFlags {
    static final Set<String> WITH_NEXT_WORD = Set.of(
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--add-modules",
            "--limit-modules",
            "--patch-module",
            "--module-path",
            "-p",
            "--upgrade-module-path",
            "--enable-native-access");
    /** Behind a =, where they have a value. */
    private static final Set<String> OTHERS = Set.of(
            "--describe-module",
            "-d",
            "--disable-@files",
            "-disable-@files",
            "--dry-run",
            "--enable-final-field-mutation",
            "--enable-preview",
            "--finalization",
            "--help",
            "-help",
            "-h",
            "-?",
            "--help-extra",
            "--illegal-access",
            "--illegal-final-field-mutation",
            "--illegal-native-access",
            "--list-modules",
            "--show-module-resolution",
            "--show-version",
            "-showversion",
            "--source",
            "--sun-misc-unsafe-memory-access",
            "--validate-modules",
            "--version",
            "-version",
            "-esa",
            "-dsa",
            "-enablesystemassertions",
            "-disablesystemassertions",
            "-server",
            "-client",
            "-minimal",
            "-zero",
            "-dcevm");
    /** What follows them begins in the same word, or behind a colon. */
    private static final List<String> BEGINNINGS = List.of(
            "-D",
            "-X",
            "-agentlib:",
            "-agentpath:",
            "-javaagent:",
            "-splash:",
            "-ea:",
            "-da:",
            "-enableassertions:",
            "-disableassertions:",
            "-verbose:");

    private JvmFlags() {}

    static boolean isKnown(String word) {
        String name = word.split("=", 2)[0];
        if (WITH_NEXT_WORD.contains(name) || OTHERS.contains(name)) {
            return true;
        }
        return BEGINNINGS.stream()
                .anyMatch(beginning -> word.startsWith(beginning)
                        || beginning.endsWith(":") && word.equals(beginning.substring(0, beginning.length() - 1)));
    }

    /** Those that begin with two dashes, as Sluice's own do. */
    static List<String> longNames() {
        return java.util.stream.Stream.concat(WITH_NEXT_WORD.stream(), OTHERS.stream())
                .filter(name -> name.startsWith("--"))
                .sorted()
                .toList();
    }
}
