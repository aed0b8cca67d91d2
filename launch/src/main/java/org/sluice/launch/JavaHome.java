package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.sluice.device.option.Option;

/**
 * A Java installation for ranks: its version, and the flags with which Sluice runs there without warnings.
 *
 * @param home the folder that holds bin/java and the file "release"
 * @param feature 17, 25, ...
 */
public record JavaHome(Path home, String version, int feature) {
    private static final int OLDEST = 17;
    /** From here on the JVM warns of sun.misc.Unsafe and of native libraries unless told that they are wanted. */
    private static final int WARNS_OF_UNSAFE_AND_NATIVE = 24;
    /** From here on it warns of agents that come while it runs, as the one of {@code ./sluice top} does. */
    private static final int WARNS_OF_AGENTS = 21;
    /** From here on there is another way to raw memory than sun.misc.Unsafe. */
    private static final int HAS_FOREIGN = 22;
    /**
     * A call of that way is some seven methods deep, and the second compiler takes 15 into one: beyond that each access
     * would be a call.
     */
    private static final String DEEPER = "-XX:MaxInlineLevel=26";

    private static final String DENIED = "--sun-misc-unsafe-memory-access=deny";
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.io",
            "java.util",
            "java.nio",
            "sun.nio.ch",
            "jdk.internal.misc",
            "jdk.internal.ref");
    private static final List<String> EXPORTED = List.of("jdk.internal.ref", "jdk.internal.misc", "sun.nio.ch");

    /** The installation that runs this JVM. */
    public static JavaHome current() {
        return new JavaHome(
                Path.of(System.getProperty("java.home")),
                System.getProperty("java.version"),
                Runtime.version().feature());
    }

    /** @throws IllegalArgumentException when it is none, or too old */
    public static JavaHome of(Path home) {
        if (!Files.isExecutable(home.resolve("bin/java"))) {
            throw new IllegalArgumentException(
                    home + " is no Java installation: it has no bin/java; give the folder above bin");
        }
        Properties release = new Properties();
        try (var reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    home.resolve("release") + " can't be read, so its version is unknown: " + e.getMessage(), e);
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        int feature = feature(version);
        if (feature < OLDEST) {
            throw new IllegalArgumentException(
                    home + " is Java '" + version + "'; Sluice needs " + OLDEST + " or newer");
        }
        return new JavaHome(home, version, feature);
    }

    private static int feature(String version) {
        try {
            return Runtime.Version.parse(version).feature();
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    /** Whether it is the installation that runs this JVM, by whatever path. */
    boolean isThisJvms() {
        try {
            return Files.isSameFile(home, current().home);
        } catch (IOException e) {
            return home.equals(current().home);
        }
    }

    public String command() {
        return home.resolve("bin/java").toString();
    }

    /** What lets Chronicle map files, and keeps newer JVMs from warning. */
    public List<String> flags() {
        List<String> flags = new ArrayList<>();
        OPENED.forEach(name -> flags.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        flags.add("--add-opens=jdk.unsupported/sun.misc=ALL-UNNAMED");
        EXPORTED.forEach(name -> flags.add("--add-exports=java.base/" + name + "=ALL-UNNAMED"));
        flags.add("--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED");
        if (warnsOfUnsafeAndNative(feature)) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        if (feature >= WARNS_OF_AGENTS) {
            flags.add("-XX:+EnableDynamicAgentLoading");
        }
        return flags;
    }

    /**
     * As {@link #flags()}, for a JVM on this machine that gets these options behind them, and these variables: with
     * what it needs if they leave it without sun.misc.Unsafe, and with huge pages if that is not theirs to say.
     */
    public List<String> flags(List<String> options, Map<String, String> environment) {
        List<String> flags = flags();
        if (feature >= HAS_FOREIGN
                && (options.contains(DENIED)
                        || options.contains("-D" + Option.UNSAFE.property() + "=off")
                        || "off".equals(environment.get(Option.UNSAFE.environmentVariable())))) {
            flags.add(DEEPER);
        }
        flags.addAll(HugePages.flags(options, environment));
        return flags;
    }

    /** Whether Java {@code feature} wants to be told, by two of {@link #flags()}. */
    public static boolean warnsOfUnsafeAndNative(int feature) {
        return feature >= WARNS_OF_UNSAFE_AND_NATIVE;
    }

    /** Packages that {@link #flags()} would open but that are closed in this JVM. */
    public List<String> closedPackages() {
        Module ours = JavaHome.class.getModule();
        return OPENED.stream()
                .filter(name -> !Object.class.getModule().isOpen(name, ours))
                .toList();
    }
}
