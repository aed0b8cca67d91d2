package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.launch.JavaHome;

/** The jar that programs have on their class path decides nothing for them. */
final class RunnableJarTest {
    private static final Path LIB = Path.of(System.getProperty("sluice.root", ".."), ".build", "lib");
    private static final Set<String> LEAD_ELSEWHERE = Set.of("mpj.jar", "starter.jar");
    private static final Path JAR = LIB.resolve("sluice.jar");

    @TempDir
    private Path folder;

    /** A user's program: sends itself an array and a message buffer, and where it is asked to Chronicle's bytes. */
    static final class Plain {
        private Plain() {}

        public static void main(String[] args) {
            try (Device device = Device.open();
                    MessageBuffer message = device.allocate(Long.BYTES)) {
                long[] array = {-1};
                Request inArray = device.irecv(array, 0, 1);
                device.send(new long[] {41}, 0, 1);
                inArray.waitFor();
                Request inMessage = device.irecv(message, 0, 2);
                device.send(array, 0, 2);
                inMessage.waitFor();
                System.out.println(array[0] + " " + message.getLong(0));
                if (args.length > 0) {
                    Chronicles.bytes(device);
                }
            }
        }
    }

    /** Not loaded where nobody brings Chronicle. */
    private static final class Chronicles {
        static void bytes(Device device) {
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

    private record Ended(int status, String out, String err) {}

    /** No launcher, no flags: what the jar's manifest opens of the JDK doesn't count on a class path. */
    private Ended plainJava(String libraries, String... arguments) throws Exception {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        Path tests = Path.of(
                Plain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        List<String> command = new ArrayList<>(List.of(
                JavaHome.current().command(),
                "-cp",
                JAR + File.pathSeparator + tests + libraries,
                Plain.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out)
                .redirectError(err);
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
        Ended ended = plainJava("");
        assertEquals(0, ended.status, ended.err);
        assertEquals("41 41\n", ended.out);
        if (!JavaHome.warnsOfUnsafeAndNative(Runtime.version().feature())) {
            assertEquals("", ended.err);
        }
    }

    /** Who sends its bytes brings it. */
    private static String chronicle() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("/openhft/") || entry.contains("/slf4j-api/"))
                .collect(Collectors.joining(File.pathSeparator, File.pathSeparator, ""));
    }

    /**
     * Chronicle then says itself that it found no logging, and which of the JDK's packages are closed to it; it works
     * all the same.
     */
    @Test
    void soDoesOneThatSendsChroniclesBytes() throws Exception {
        Ended ended = plainJava(chronicle(), "bytes");
        assertEquals(0, ended.status, ended.err);
        assertEquals("41 41\nmore than what was reserved for it\n", ended.out);
        assertFalse(ended.err.contains("\tat "), ended.err);
    }

    @Test
    void itHoldsNothingButSluiceAndNothingTwice() throws IOException {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        for (Path jar : List.of(JAR, LIB.resolve("../sluice-core.jar"), LIB.resolve("sluice-coroutines.jar"))) {
            List<String> names = new ArrayList<>();
            // As tools read that know no table of contents.
            try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    names.add(entry.getName());
                }
            }
            assertEquals(names.stream().distinct().toList(), names, jar + " holds an entry twice");
            assertEquals(
                    List.of(),
                    names.stream()
                            .filter(name -> name.matches("org/sluice/(bench|cli|jars)/.+")
                                    || !name.matches("org/|org/sluice/.*|META-INF/(MANIFEST.MF|LICENSE|NOTICE|"
                                            + "sluice-[a-z]+.kotlin_module"
                                            + "|versions/.*)?|module-info.class"))
                            .toList(),
                    jar.toString());
        }
    }

    /** So that each of them is enough on a class path. */
    @Test
    void eachNamesItsNeighboursAndNoOther() throws IOException {
        assumeTrue(Files.isRegularFile(JAR), JAR + " is missing: ./sluice --version builds it");
        assertEquals(jarsIn(LIB, "sluice.jar"), namedBy(JAR));
        Set<String> withCoroutines = jarsIn(LIB, "sluice-coroutines.jar");
        withCoroutines.removeIf(name -> name.startsWith("jctools"));
        assertEquals(withCoroutines, namedBy(LIB.resolve("sluice-coroutines.jar")));
        // The scripts name the libraries that it measures with, for the benchmark alone.
        assertEquals(Set.of("../sluice.jar"), namedBy(LIB.resolve("bench/sluice-bench.jar")));
        Set<String> ofCli = jarsIn(LIB.resolve("cli"), "sluice-cli.jar");
        ofCli.addAll(List.of("../sluice.jar", "../bench/sluice-bench.jar"));
        assertEquals(ofCli, namedBy(LIB.resolve("cli/sluice-cli.jar")));
        // The names that users of MPJ Express know.
        assertEquals(Set.of("mpi/sluice-mpijava.jar"), namedBy(LIB.resolve("mpj.jar")));
        assertEquals(Set.of("cli/sluice-cli.jar"), namedBy(LIB.resolve("starter.jar")));
    }

    private static Set<String> namedBy(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return new TreeSet<>(List.of(file.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" ")));
        }
    }

    private static Set<String> jarsIn(Path folder, String but) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar") && !name.equals(but) && !LEAD_ELSEWHERE.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
