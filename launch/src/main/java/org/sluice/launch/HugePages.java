package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Whether a rank's JVM asks the kernel for huge pages under its heap. Where messages are long, the kernel copies them
 * from one rank's array to another's: it looks each page up that they lie on, and of huge ones there are fewer. Asked
 * for are they where the kernel gives them to who asks, and only there: elsewhere it gives them to all, or to nobody.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code HugePagesTest}.
 */
final class HugePages {
    private static final Path OF_KERNEL = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final String TO_WHO_ASKS = "[madvise]";
    private static final List<String> FLAGS = List.of("-XX:+UseTransparentHugePages");
    /** Whoever speaks of pages has chosen, and ZGC has its heap in files, to which the kernel applies another rule. */
    private static final List<String> CHOICES = List.of("HugePage", "LargePage", "UseZGC", "VMOptionsFile", "Flags=");

    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private HugePages() {}

    /**
     * For a JVM that also gets these options, in an environment with these variables.
     *
     * @return one flag, or none
     */
    static List<String> flags(Collection<String> options, Map<String, String> environment) {
        return flags(OF_KERNEL, options, environment);
    }

    static List<String> flags(Path ofKernel, Collection<String> options, Map<String, String> environment) {
        List<String> words = new ArrayList<>(options);
        VARIABLES.forEach(name ->
                words.addAll(List.of(environment.getOrDefault(name, "").trim().split("\\s+"))));
        return words.stream().noneMatch(HugePages::chooses) && isGivenToWhoAsks(ofKernel) ? FLAGS : List.of();
    }

    /** A file of flags may do so, too. */
    private static boolean chooses(String word) {
        return word.startsWith("@")
                || word.startsWith("-XX") && CHOICES.stream().anyMatch(word::contains);
    }

    private static boolean isGivenToWhoAsks(Path ofKernel) {
        try {
            return Files.readString(ofKernel).contains(TO_WHO_ASKS);
        } catch (IOException e) {
            // A kernel that has none.
            return false;
        }
    }
}
