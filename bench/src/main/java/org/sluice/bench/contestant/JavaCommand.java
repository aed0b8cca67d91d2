package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluice.bench.rank.RankMain;
import org.sluice.bench.rank.RankSetup;

/** The JVM that ranks run in: the harness's own, or that of {@code --java HOME}. */
public final class JavaCommand {
    private static final int WARNS_OF_UNSAFE = 24;
    private static final List<String> OPENED = List.of("java.lang", "java.lang.reflect", "java.io", "java.util", "java.nio",
            "sun.nio.ch", "jdk.internal.misc", "jdk.internal.ref");

    private final Path home;
    private final String version;

    private JavaCommand(Path home, String version) {
        this.home = home;
        this.version = version;
    }

    /** @param home null for the harness's own */
    public static JavaCommand of(String home) {
        if (home == null) {
            return new JavaCommand(Path.of(System.getProperty("java.home")), System.getProperty("java.version"));
        }
        Path path = Path.of(home).toAbsolutePath();
        if (!Files.isExecutable(path.resolve("bin/java"))) {
            throw new IllegalArgumentException("--java '" + home + "': there is no executable bin/java in it; name the folder of a JDK, "
                    + "for instance one of those in /usr/lib/jvm");
        }
        try {
            for (String line : Files.readAllLines(path.resolve("release"))) {
                if (line.startsWith("JAVA_VERSION=")) {
                    return new JavaCommand(path, line.substring("JAVA_VERSION=".length()).replace("\"", ""));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("--java '" + home + "': its file 'release' can't be read: " + e, e);
        }
        throw new IllegalArgumentException("--java '" + home + "': its file 'release' names no JAVA_VERSION");
    }

    public String version() {
        return version;
    }

    public Path home() {
        return home;
    }

    /** The flags under which nothing warns, on any JDK from 17 on. */
    List<String> flags(long largest) {
        List<String> flags = new ArrayList<>();
        for (String opened : OPENED) {
            flags.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        int feature = Runtime.Version.parse(version).feature();
        if (feature >= WARNS_OF_UNSAFE) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        flags.add("--enable-native-access=ALL-UNNAMED");
        // Buffers of two ranks, and room so that nothing is collected during a round.
        flags.add("-Xmx" + (512 + 6 * (largest >> 20)) + "m");
        return flags;
    }

    List<String> rank(RankSetup setup) {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/java").toString());
        command.addAll(flags(setup.largest()));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(RankMain.class.getName());
        command.addAll(List.of(setup.arguments()));
        return command;
    }
}
