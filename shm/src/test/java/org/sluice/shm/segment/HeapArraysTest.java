package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;

final class HeapArraysTest {
    @Test
    void arraysAreReadWhereTheyLie() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xmx128m", "-XX:+UseG1GC", "-cp", System.getProperty("java.class.path")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.add(HeapArrayChecks.class.getName());
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes());
        assertEquals(0, child.waitFor(), output);
        assertTrue(output.endsWith("done\n"), output);
    }

    /** As here, under -Xcheck:jni. */
    @Test
    void whereTheJvmHandsOutCopiesArraysAreStreamed() {
        byte[] array = new byte[100_000];
        TestRank[] ranks = Segments.open(2, Segments.options("sluice.shm.cma", "on"), Segments.os());
        assertFalse(ranks[0].channel
                .reading()
                .describe(1, null, array, Memory.arrayOffset(array), array.length, new RemoteReference()));
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 17, true", "2, 17, false", "3, 24, false", "2, 25, true", "3, 25, true", "0, 25, false"})
    void whereCollectionsAreSilentArraysAreStreamed(int collector, int version, boolean isToldOfAll) {
        assertEquals(isToldOfAll, HeapArrays.isToldOfAll(collector, version));
    }
}
