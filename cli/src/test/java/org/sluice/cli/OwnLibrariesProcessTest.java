package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.cli.BuiltProgram.Ended;

/** Programs have the libraries that they bring, and of Sluice's no more than Sluice needs. */
@Tag("once")
@Timeout(120)
final class OwnLibrariesProcessTest {
    private static final String SOURCE = """
        import org.sluice.device.Device;
        public final class Mine {
            public static void main(String[] arguments) throws Exception {
                try (Device device = Device.open()) {
                    StringBuilder line = new StringBuilder("rank " + device.rank() + " of " + device.size()
                            + ", Kotlin is " + Class.forName("kotlin.KotlinVersion").getField("WHOSE").get(null));
                    for (String name : new String[] {"kotlinx.coroutines.Job", "org.slf4j.Logger",
                            "picocli.CommandLine", "io.aeron.Aeron", "org.HdrHistogram.Histogram",
                            "net.openhft.chronicle.bytes.Bytes", "org.sluice.cli.Main"}) {
                        try {
                            Class.forName(name);
                            line.append(", has ").append(name);
                        } catch (ClassNotFoundException e) {
                            continue;
                        }
                    }
                    System.out.println(line);
                }
            }
        }
        """;
    private static final String LINE = "rank %d of %d, Kotlin is the program's, has kotlinx.coroutines.Job";

    @TempDir
    private static Path folder;

    private static BuiltProgram program;
    private static String classPath;

    /**
     * A class path as the java command takes it: with what doesn't exist, with a wildcard for nothing, an empty entry,
     * a wildcard.
     */
    @BeforeAll
    static void compile() throws IOException {
        program = new BuiltProgram(folder);
        program.compile("classes", "Mine.java", SOURCE, "-cp", BuiltProgram.SLUICE.toString());
        program.library("kotlin-stdlib-9.9.9", "kotlin.KotlinVersion");
        classPath = "missing/*:none:none.jar::classes/:*:" + folder.resolve("no folder") + "/*";
    }

    private static void assertPrinted(Ended ended, int ranks) {
        assertEquals("", ended.err());
        assertEquals(0, ended.status());
        List<String> expected =
                ranks == 1 ? List.of(LINE.formatted(0, 1)) : List.of(LINE.formatted(0, 2), LINE.formatted(1, 2));
        assertEquals(expected, ended.out().lines().sorted().toList());
    }

    @Test
    void underRun() throws Exception {
        assertPrinted(program.run("-n", "2", "-cp", classPath, "Mine"), 2);
    }

    @Test
    void withLoadersOfTheirOwn() throws Exception {
        assertPrinted(program.run("-n", "2", "--jvms", "1", "--own-loaders", "-cp", classPath, "Mine"), 2);
    }

    @Test
    void inPlace() throws Exception {
        assertPrinted(program.exec("-cp", classPath, "Mine"), 1);
    }
}
