package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.hybrid.launch.JavaHome;

/** The jar that programs have on their class path decides nothing for them. */
final class RunnableJarTest {
    private static final Path JAR = Path.of(System.getProperty("sluice.root", ".."), ".build", "sluice.jar");

    @TempDir
    private Path folder;

    /** A user's program: sends itself what Sluice takes, one kind of memory after the other. */
    static final class Plain {
        private Plain() {
        }

        public static void main(String[] args) {
            try (Device device = Device.open(); MessageBuffer message = device.allocate(Long.BYTES)) {
                long[] array = {-1};
                Request inArray = device.irecv(array, 0, 1);
                device.send(new long[] {41}, 0, 1);
                inArray.waitFor();
                Request inMessage = device.irecv(message, 0, 2);
                device.send(array, 0, 2);
                inMessage.waitFor();
                Bytes<?> sent = Bytes.allocateElasticDirect(1);
                sent.append("more than what was reserved for it");
                Bytes<?> received = Bytes.allocateElasticDirect(sent.readRemaining());
                Request inBytes = device.irecv(received, 0, 3);
                device.send(sent, 0, 3);
                inBytes.waitFor();
                System.out.println(array[0] + " " + message.getLong(0) + " " + received);
                sent.releaseLast();
                received.releaseLast();
            }
        }
    }

    /** No launcher, no flags: what opens a package of the JDK in the jar's manifest doesn't count on a class path. */
    @Test
    void aProgramRunsByPlainJavaWithTheJarOnItsClassPath() throws Exception {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        Path tests = Path.of(Plain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        ProcessBuilder builder = new ProcessBuilder(JavaHome.current().command(), "-cp", tests + File.pathSeparator + JAR, Plain.class.getName())
                .redirectInput(new File("/dev/null")).redirectOutput(out).redirectError(err);
        builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> "it does not end: " + builder.command());
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(err.toPath());
        assertEquals(0, process.exitValue(), said);
        assertEquals("41 41 more than what was reserved for it\n", Files.readString(out.toPath()));
        if (!JavaHome.warnsOfUnsafeAndNative(Runtime.version().feature())) {
            assertEquals("", said);
        }
    }

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
