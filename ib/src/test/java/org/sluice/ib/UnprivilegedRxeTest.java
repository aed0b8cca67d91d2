package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jctools.maps.NonBlockingHashMapLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.Verbs;

/** What users meet who are not root: too little memory that may be locked, and devices that they may not open. */
@Tag("all")
@Tag("verbs")
final class UnprivilegedRxeTest {
    private static final Path DEVICES = Path.of("/dev/infiniband");
    private static final Set<PosixFilePermission> FOR_ALL = PosixFilePermissions.fromString("rw-rw-rw-");
    private static final Set<PosixFilePermission> FOR_ROOT = PosixFilePermissions.fromString("rw-------");

    private final Map<Path, Set<PosixFilePermission>> before = new HashMap<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void note() throws IOException {
        try (Stream<Path> all = Files.list(DEVICES)) {
            for (Path each : (Iterable<Path>) all.filter(path -> !Files.isDirectory(path))::iterator) {
                before.put(each, Files.getPosixFilePermissions(each));
            }
        }
        assertTrue(before.size() >= 2, before.toString());
    }

    @AfterEach
    void restore() throws IOException {
        for (Map.Entry<Path, Set<PosixFilePermission>> each : before.entrySet()) {
            Files.setPosixFilePermissions(each.getKey(), each.getValue());
        }
    }

    private void permit(Set<PosixFilePermission> permissions) throws IOException {
        for (Path each : before.keySet()) {
            Files.setPosixFilePermissions(each, permissions);
        }
    }

    /** Class path of copies, because nobody may not be allowed to look where the classes are. */
    private String copies() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Set<Path> paths = new LinkedHashSet<>();
        for (Class<?> each : List.of(
                UnprivilegedProcess.class, IbChannel.class, Options.class, Verbs.class, NonBlockingHashMapLong.class)) {
            Path from = Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path to = folder.resolve(from.toString().replace('/', '_'));
            if (paths.add(to) && !Files.exists(to)) {
                copy(from, to);
            }
        }
        return String.join(
                File.pathSeparator, paths.stream().map(Path::toString).toList());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path copy = each.equals(from)
                        ? to
                        : to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(each, copy);
                }
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** As nobody, without any capability, with so many KB that may be locked. */
    private String asNobody(String lockedKb) throws Exception {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "ulimit -l " + lockedKb + " && exec setpriv --reuid=65534 --regid=65534"
                        + " --clear-groups --inh-caps=-all --bounding-set=-all \"$@\"",
                "bash",
                java,
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                copies(),
                UnprivilegedProcess.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), output);
        System.out.println("UnprivilegedRxeTest: " + output);
        return output;
    }

    @Tag("long")
    @Test
    void tooLittleMemoryThatMayBeLockedIsToldWithTheLimitTheNeedAndTheWayOut() throws Exception {
        permit(FOR_ALL);
        assertTrue(asNobody("unlimited").contains("opened"), "with enough");
        String told = asNobody("2048");
        assertTrue(told.contains("NO_MEMORY: "), told);
        assertTrue(told.matches("(?s).*ibv_reg_mr of \\d{7,} bytes: ENOMEM.*"), told);
        assertTrue(told.contains("may lock 2097152 bytes"), told);
        assertTrue(told.contains("ulimit -l") && told.contains("LimitMEMLOCK=infinity"), told);
    }

    /**
     * The slots fit, and what comes after them doesn't: that is far less than the limit, which says nothing without the
     * sum.
     */
    @Tag("long")
    @Test
    void whereAPieceThatIsFarSmallerThanTheLimitIsRefusedTheSumIsTold() throws Exception {
        permit(FOR_ALL);
        String told = asNobody("8400");
        assertTrue(told.contains("NO_MEMORY: "), told);
        assertTrue(told.contains("may lock 8601600 bytes"), told);
        assertTrue(told.contains("Opening registers 8986624 bytes in all; 8454144 are registered already"), told);
    }

    @Test
    void devicesThatMayNotBeOpenedAreToldWithWhatToDo() throws Exception {
        permit(FOR_ROOT);
        String told = asNobody("unlimited");
        assertTrue(told.contains("OPEN_FAILED: "), told);
        assertTrue(told.contains("This user may not open /dev/infiniband/rdma_cm for reading and writing"), told);
        assertTrue(
                told.contains("presence: the ib channel can't open: "),
                "the reason why the channel is off says so too: " + told);
    }
}
