package org.sluice.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Looks at what each rank would refuse, before any is started: a mistake in the command is told once, and at once.
 *
 * <p>Thread: any.
 *
 * <p>Fails: with {@link IllegalArgumentException}; what can't be known here is left to the ranks.
 *
 * <p>Proof: {@code LaunchCheckTest}, {@code MainProcessTest}.
 */
final class LaunchCheck {
    /** Of which the JVM takes options as well, those of the command line last. */
    private static final List<String> OPTIONS_IN_ENVIRONMENT = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final Pattern PROPERTY = Pattern.compile("(?:^|\\s)[\"']?-D(sluice\\.[a-z.]+)(?:=([^\\s\"']*))?");
    /** With these a class may come from elsewhere than the class path. */
    private static final List<String> OTHER_CLASSES = List.of(
            "-Xbootclasspath",
            "-javaagent",
            "-agent",
            "--patch-module",
            "-Djava.system.class.loader",
            "--enable-preview",
            "--add-modules",
            "--module-path",
            "-p",
            "--upgrade-module-path",
            "--limit-modules");

    private LaunchCheck() {}

    /** @return the options that ranks will have, but for those of their job, which the launcher sets */
    static Options options(List<String> jvmOptions, Map<String, String> environment) {
        Map<String, String> properties = new HashMap<>();
        for (String variable : OPTIONS_IN_ENVIRONMENT) {
            Matcher found = PROPERTY.matcher(environment.getOrDefault(variable, ""));
            while (found.find()) {
                properties.put(found.group(1), found.group(2) == null ? "" : found.group(2));
            }
        }
        for (String word : jvmOptions) {
            if (word.startsWith("-D")) {
                String[] parts = word.substring(2).split("=", 2);
                properties.put(parts[0], parts.length == 1 ? "" : parts[1]);
            }
        }
        Map<String, String> others = new HashMap<>(environment);
        for (Option option : List.of(Option.JOB_ADDRESS, Option.JOB_SIZE, Option.JOB_RANK, Option.JOB_JVM_RANKS)) {
            others.remove(option.environmentVariable());
        }
        return Options.of(Map.of(), properties, others);
    }

    /** That the program has a main method which that Java calls. */
    static void mainClass(Program program, JavaHome java, List<String> jvmOptions) {
        if (jvmOptions.stream().anyMatch(word -> OTHER_CLASSES.stream().anyMatch(word::startsWith))) {
            return;
        }
        try (URLClassLoader loader = new URLClassLoader(program.urls(), LaunchCheck.class.getClassLoader())) {
            MainMethod.find(loader, program.mainClass(), program.classPath(), java.feature());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            // What this JVM can't load another may: one for newer classes, or with classes of its own, also where both
            // are of one version.
            if (java.isThisJvms() || !(e.getCause() instanceof LinkageError)) {
                throw e;
            }
        }
    }
}
