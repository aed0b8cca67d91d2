package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** They are asked for where that helps, and never against what somebody chose. */
@Tag("once")
final class HugePagesTest {
    private static final List<String> ASKED = List.of("-XX:+UseTransparentHugePages");

    @TempDir
    private Path folder;

    private Path kernel(String says) throws IOException {
        return Files.writeString(folder.resolve("enabled"), says + "\n");
    }

    @Test
    void theyAreAskedForWhereTheKernelGivesThemToWhoAsks() throws IOException {
        Path kernel = kernel("always [madvise] never");
        assertEquals(ASKED, HugePages.flags(kernel, List.of("-Xmx1g", "-Dx=UseZGC"), Map.of()));
        assertEquals(ASKED, HugePages.flags(kernel, List.of(), Map.of("JAVA_TOOL_OPTIONS", " -Xss1m  -Xmx1g ")));
    }

    @Test
    void elsewhereTheyAreNot() throws IOException {
        assertEquals(List.of(), HugePages.flags(kernel("[always] madvise never"), List.of(), Map.of()));
        assertEquals(List.of(), HugePages.flags(kernel("always madvise [never]"), List.of(), Map.of()));
        assertEquals(List.of(), HugePages.flags(folder.resolve("nothing"), List.of(), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:-UseTransparentHugePages",
                "-XX:+UseTransparentHugePages",
                "-XX:+UseLargePages",
                "-XX:LargePageSizeInBytes=1g",
                "-XX:+UseZGC",
                "-XX:VMOptionsFile=flags",
                "-XX:Flags=flags",
                "@flags"
            })
    void whoeverHasChosenIsLeftAlone(String flag) throws IOException {
        Path kernel = kernel("always [madvise] never");
        assertEquals(List.of(), HugePages.flags(kernel, List.of("-Xmx1g", flag), Map.of()));
        assertEquals(List.of(), HugePages.flags(kernel, List.of(), Map.of("JDK_JAVA_OPTIONS", "-Xmx1g " + flag)));
    }
}
