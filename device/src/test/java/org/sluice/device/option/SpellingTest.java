package org.sluice.device.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {
    private static final List<String> KNOWN = List.of("--here", "--java", "--jvms", "--listen", "--own-loaders");

    @Test
    void allThatDifferLeastAreTold() {
        assertEquals(List.of("--java"), Spelling.nearest("--jave", KNOWN));
        assertEquals(List.of("--listen"), Spelling.nearest("-lsiten", KNOWN));
        assertEquals(List.of("--java", "--jvms"), Spelling.nearest("--jvxa", KNOWN));
        assertEquals("; did you mean --java or --jvms?", Spelling.suggestion("--jvxa", KNOWN));
    }

    @Test
    void whatIsNotNearIsNotTold() {
        assertEquals(List.of(), Spelling.nearest("--prefix", KNOWN));
        assertEquals("", Spelling.suggestion("--x", KNOWN));
        assertEquals(List.of(), Spelling.nearest("--j", List.of("-n", "-h")));
    }

    @Test
    void whatAllNamesBeginWithDoesNotCount() {
        assertEquals(List.of("sluice.peek"), Spelling.nearest("sluice.peak", List.of("sluice.os", "sluice.peek")));
        assertEquals(List.of(), Spelling.nearest("sluice.xyz", List.of("sluice.os", "sluice.peek")));
    }
}
