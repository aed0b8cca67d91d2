package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar that programs have on their class path decides nothing for them. */
final class RunnableJarTest {
    private static final Path JAR = Path.of(System.getProperty("sluice.root", ".."), ".build", "sluice.jar");

    @Test
    void itBringsNoLoggingAndNoAnnotationProcessors() throws IOException {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> deciding = jar.stream().map(entry -> entry.getName()).filter(name -> name.startsWith("META-INF/services/org.slf4j")
                    || name.startsWith("org/slf4j/nop/") || name.endsWith("annotation.processing.Processor")).toList();
            assertEquals(List.of(), deciding);
            assertNotNull(jar.getEntry("org/slf4j/Logger.class"), "Chronicle needs the interface");
        }
    }
}
