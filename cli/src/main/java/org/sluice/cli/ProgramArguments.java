package org.sluice.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sluice.device.option.Spelling;
import org.sluice.launch.Program;

/**
 * The end of a command line: {@code [JVM options] (-jar X | -cp CP MAIN) [args]}, read as the java command reads it.
 *
 * @param jvmOptions what stood before -jar or -cp
 * @param program what to run
 * @param arguments the program's own
 */
record ProgramArguments(List<String> jvmOptions, Program program, List<String> arguments) {
    /** As users of MPJ Express write it. */
    private static final String MPJRUN_DEVICE = "-dev";

    private static final String JVM_OPTIONS = "[JVM options] ";
    private static final String EXPECTED = JVM_OPTIONS + "(-jar X | -cp CP MAIN) [args]";
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final String CLASS_PATH_IS = "--class-path=";
    private static final Set<String> MODULE = Set.of("-m", "--module");

    /**
     * @param command whose command line this is
     * @param ours its options, which must stand before the JVM's
     * @param ofTheJvm how it is given options of the JVM
     */
    static ProgramArguments parse(List<String> words, String command, Set<String> ours, String ofTheJvm) {
        List<String> jvmOptions = new ArrayList<>();
        int next = 0;
        while (next < words.size()) {
            String word = words.get(next);
            if (word.equals("-jar")) {
                String jar = following(words, next, "the path of a jar");
                return new ProgramArguments(
                        jvmOptions, Program.ofJar(Path.of(jar)), words.subList(next + 2, words.size()));
            }
            if (CLASS_PATH.contains(word)) {
                String classPath = following(words, next, "a class path");
                return ofClassPath(jvmOptions, classPath, words, next + 1);
            }
            if (word.startsWith(CLASS_PATH_IS)) {
                return ofClassPath(jvmOptions, word.substring(CLASS_PATH_IS.length()), words, next);
            }
            if (ours.contains(word.split("=", 2)[0])) {
                throw new IllegalArgumentException(
                        word + " stands behind a JVM option; Sluice's own options come first");
            }
            if (MODULE.contains(word.split("=", 2)[0])) {
                throw new IllegalArgumentException(
                        word + ": a program is not run as a module here; it is given as " + EXPECTED);
            }
            if (!word.startsWith("-")) {
                throw new IllegalArgumentException(
                        "'" + word + "' is no JVM option; the program is given as " + EXPECTED);
            }
            if (!JvmFlags.isKnown(word)) {
                throw new IllegalArgumentException(unknown(word.split("=", 2)[0], command, ours, ofTheJvm));
            }
            jvmOptions.add(word);
            if (JvmFlags.WITH_NEXT_WORD.contains(word)) {
                jvmOptions.add(following(words, next, "its value"));
                next++;
            }
            next++;
        }
        throw new IllegalArgumentException("no program is given; it is given as "
                + (command.endsWith("exec") ? EXPECTED.substring(JVM_OPTIONS.length()) : EXPECTED));
    }

    private static String unknown(String name, String command, Set<String> ours, String ofTheJvm) {
        if (name.equals(MPJRUN_DEVICE)) {
            return "'" + name + "' is not known to " + command + "; bin/mpjrun.sh takes it, and here --jvms 1 makes"
                    + " ranks threads of one JVM";
        }
        List<String> own = ours.stream().sorted().toList();
        List<String> all = new ArrayList<>(own);
        all.addAll(JvmFlags.longNames());
        String nearest = Spelling.suggestion(name, all);
        return "'" + name + "' is not known to " + command
                + (nearest.isEmpty() ? "; its options are " + String.join(" ", own) + "; " : nearest + " ") + ofTheJvm;
    }

    /** @param at where the class path stands; the main class is next */
    private static ProgramArguments ofClassPath(List<String> jvmOptions, String classPath, List<String> words, int at) {
        String main = following(words, at, "a main class");
        if (main.startsWith("-")) {
            throw new IllegalArgumentException("'" + main + "' stands where the main class is expected; options come "
                    + "before the class path: [Sluice's options] " + EXPECTED);
        }
        return new ProgramArguments(
                jvmOptions, Program.ofClassPath(classPath, main), words.subList(at + 2, words.size()));
    }

    private static String following(List<String> words, int at, String what) {
        if (at + 1 >= words.size()) {
            throw new IllegalArgumentException(
                    "behind " + words.get(at) + " " + what + " is missing; the program is given as " + EXPECTED);
        }
        return words.get(at + 1);
    }
}
