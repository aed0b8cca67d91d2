package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** A user's program: sends itself an array and a message buffer, and where it is asked to Chronicle's bytes. */
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
                System.out.println(array[0] + " " + message.getLong(0));
                if (args.length > 0) {
                    bytes(device);
                }
            }
        }

        private static void bytes(Device device) {
            Bytes<?> sent = Bytes.allocateElasticDirect(1);
            sent.append("more than what was reserved for it");
            Bytes<?> received = Bytes.allocateElasticDirect(sent.readRemaining());
            Request request = device.irecv(received, 0, 3);
            device.send(sent, 0, 3);
            request.waitFor();
            System.out.println(received);
            sent.releaseLast();
            received.releaseLast();
        }
    }

    private record Ended(int status, String out, String err) {
    }

    /** No launcher, no flags: what the jar's manifest opens of the JDK doesn't count on a class path. */
    private Ended plainJava(String... arguments) throws Exception {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        Path tests = Path.of(Plain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-cp", tests + File.pathSeparator + JAR, Plain.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectOutput(out).redirectError(err);
        builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    @Test
    void aProgramRunsByPlainJavaWithTheJarOnItsClassPath() throws Exception {
        Ended ended = plainJava();
        assertEquals(0, ended.status, ended.err);
        assertEquals("41 41\n", ended.out);
        if (!JavaHome.warnsOfUnsafeAndNative(Runtime.version().feature())) {
            assertEquals("", ended.err);
        }
    }

    /** Chronicle then says itself that it found no logging, and which of the JDK's packages are closed to it; it works all the same. */
    @Test
    void soDoesOneThatSendsChroniclesBytes() throws Exception {
        Ended ended = plainJava("bytes");
        assertEquals(0, ended.status, ended.err);
        assertEquals("41 41\nmore than what was reserved for it\n", ended.out);
        assertFalse(ended.err.contains("\tat "), ended.err);
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
