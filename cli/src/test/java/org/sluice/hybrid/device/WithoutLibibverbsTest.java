package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.cli.doctor.Doctor;
import org.sluice.cli.doctor.Finding;
import org.sluice.ib.IbPresence;
import org.sluice.jni.verbs.Verbs;

/**
 * A machine with an RDMA device and without libibverbs. Sluice's classes are loaded once more, with two names of equal
 * length changed in their files: what their library needs is called something that is not installed, so that the
 * dynamic loader says what it says then; and devices are listed in a folder that is never empty, as this machine may
 * have none.
 */
final class WithoutLibibverbsTest {
    private static final String CHANNELS = "sluice.channels";

    @TempDir
    private Path folder;

    /** Runs in classes whose library finds no libibverbs. */
    static final class Life {
        private Life() {}

        public static void live() {
            List<Finding> findings =
                    new Doctor(Map.of(CHANNELS, "threads,shm,ib"), Map.of("SLUICE_SHM_CMA", "off")).examine();
            Finding verbs = of("verbs", findings);
            assertTrue(
                    verbs.text()
                            .matches(".*libsluice_verbs is not loaded: a library that it needs is missing"
                                    + " \\(.*libibverbs\\.so\\.9: cannot open shared object file.*\\); install"
                                    + " libibverbs1 and .*"),
                    verbs.toString());
            Finding channel = of("channel ib", findings);
            assertTrue(channel.text().startsWith("not usable: libsluice_verbs is not loaded: "), channel.toString());
            assertEquals(Finding.Level.SLOWER, channel.level(), channel.toString());
            assertFalse(
                    findings.stream().anyMatch(each -> each.level() == Finding.Level.UNUSABLE), findings.toString());

            try (DeviceJob job = DeviceJob.open(2, Map.of(CHANNELS, "threads,shm,ib"))) {
                exchange(job, new byte[100]);
                exchange(job, new byte[100_000]);
            }
            String refusal = assertThrows(AssertionError.class, () -> DeviceJob.open(2, Map.of(CHANNELS, "ib")))
                    .getMessage();
            assertTrue(
                    refusal.matches("(?s).*allows only ib; no verbs, since libsluice_verbs is not loaded:"
                            + " .*libibverbs\\.so\\.9.*"),
                    refusal);
        }

        private static Finding of(String topic, List<Finding> findings) {
            return findings.stream()
                    .filter(each -> each.topic().equals(topic))
                    .findFirst()
                    .orElseThrow();
        }

        private static void exchange(DeviceJob job, byte[] message) {
            java.util.Arrays.fill(message, (byte) 7);
            job.run(device -> device.send(message, 1, 3), device -> {
                byte[] got = new byte[message.length];
                device.recv(got, 0, 3);
                assertArrayEquals(message, got);
            });
        }
    }

    @Test
    void theOtherChannelsWorkAndDoctorSaysWhatToInstall() throws Exception {
        assumeTrue(Verbs.available(), Verbs.unavailableReason());
        List<URL> classPath = new ArrayList<>();
        classPath.add(changed(Verbs.class, "libsluice_verbs.so", "\0libibverbs.so.1\0", "\0libibverbs.so.9\0"));
        classPath.add(changed(IbPresence.class, "IbPresence.class", "/sys/class/infiniband", "/proc/self/fdinfo////"));
        for (String entry : System.getProperty("java.class.path").split(":")) {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Method live = Class.forName(Life.class.getName(), true, loader).getMethod("live");
            live.setAccessible(true);
            live.invoke(null);
        }
    }

    /** The room of that class, with another word in one of its files. */
    private URL changed(Class<?> of, String fileName, String word, String other) throws Exception {
        URI source = of.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path made = Files.createDirectory(folder.resolve(of.getSimpleName()));
        int changed;
        if (Files.isDirectory(Path.of(source))) {
            changed = copy(Path.of(source), made, fileName, word, other);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(Path.of(source))) {
                changed = copy(jar.getPath("/"), made, fileName, word, other);
            }
        }
        assertEquals(1, changed, "files " + fileName + " with " + word.trim() + " in " + source);
        return made.toUri().toURL();
    }

    private static int copy(Path from, Path to, String fileName, String word, String other) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        int changed = 0;
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            boolean is = file.getFileName().toString().equals(fileName) && bytes.contains(word);
            changed += is ? 1 : 0;
            Files.write(target, (is ? bytes.replace(word, other) : bytes).getBytes(StandardCharsets.ISO_8859_1));
        }
        return changed;
    }
}
