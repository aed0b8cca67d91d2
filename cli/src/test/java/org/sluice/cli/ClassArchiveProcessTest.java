package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.user.OtherUser;
import org.sluice.launch.JavaHome;

/** Ranks under {@code ./sluice run} take their classes from the archive, and where it doesn't fit, nobody notices. */
@Timeout(120)
final class ClassArchiveProcessTest {
    private static final Path CHECKOUT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final Path BUILT = CHECKOUT.resolve(".build");
    private static final String ARCHIVE = "classes-" + JavaHome.current().feature() + ".jsa";
    private static final String SAYS_WHERE_FROM = "-Xlog:class+load=info:file=%s/loads-%%p";

    @TempDir
    private Path folder;

    /** A user's program. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Device device = Device.open()) {
                System.out.println(device.size() + " ranks");
            }
        }
    }

    @BeforeEach
    void isBuilt() {
        assumeTrue(
                Files.isRegularFile(BUILT.resolve("lib/sluice.jar")),
                BUILT + " holds no lib/sluice.jar: ./sluice --version builds it");
        assumeTrue(
                Files.exists(JavaHome.current().home().resolve("lib/server/classes.jsa")),
                "this Java brings no archive that one of ours could add to");
    }

    /**
     * Elsewhere the archive fits no longer, as a changed jar or another Java makes it unfit: there is but one question,
     * answered by the JVM.
     */
    private Path copyWhatWasBuilt() throws Exception {
        Path built = Files.createDirectory(folder.resolve(".build"));
        try (Stream<Path> files = Stream.concat(Files.list(BUILT), Files.walk(BUILT.resolve("lib")))) {
            for (Path file :
                    (Iterable<Path>) files.filter(path -> path.toString().matches(".*\\.(jar|jsa)"))::iterator) {
                Path copy = built.resolve(BUILT.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return built.resolve(ARCHIVE);
    }

    @Test
    void classesComeFromTheArchive() throws Exception {
        String loaded = run(CHECKOUT);
        assertEquals(List.of(), notShared(loaded));
        assertTrue(fromArchive(loaded, "org.sluice.hybrid.device.HybridDevice"), "no class of Sluice was loaded");
    }

    /** Whoever can write an archive has ranks run his code. */
    @Test
    void theArchiveIsItsOwnersAlone() throws Exception {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(BUILT.resolve(ARCHIVE))));
    }

    /** However wide the rights are that whoever builds gives to his files. */
    @Test
    @Tag("once")
    void noOtherUserCanReadOrWriteOneThatIsMade() throws Exception {
        // Open to all, as JUnit's folders are not.
        Path built = Files.createTempDirectory("sluice-archive-");
        Files.setAttribute(built, "unix:mode", 0755);
        Path core = built.resolve("sluice-core.jar");
        Path archive = built.resolve(ARCHIVE);
        Path library = built.resolve("libsluice_os.so");
        try {
            Files.copy(BUILT.resolve("sluice-core.jar"), core);
            Process maker = new ProcessBuilder(
                            "sh",
                            "-c",
                            "umask 000; exec \"$@\"",
                            "sh",
                            JavaHome.current().command(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            core.toString(),
                            "org.sluice.launch.ClassArchiveMaker",
                            JavaHome.current().home().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("made").toFile())
                    .start();
            assertTrue(maker.waitFor(100, TimeUnit.SECONDS), "the archive isn't made after 100 s");
            assertEquals(0, maker.exitValue(), Files.readString(folder.resolve("made")));
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)));
            OtherUser.Result tried = OtherUser.stranger()
                    .shell("test -r " + core + " && test ! -r " + archive + " && test ! -w " + archive
                            + " && test ! -r " + library + " && test ! -w " + library);
            assertEquals(0, tried.status, tried.output);
            assertTrue(Files.exists(library), "the library isn't there at all");
        } finally {
            deleteAll(built);
        }
    }

    private static void deleteAll(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void whatWasMovedIsReadFromItsJar() throws Exception {
        copyWhatWasBuilt();
        assertFalse(notShared(run(folder)).isEmpty());
    }

    @Test
    void aBrokenArchiveIsLeftAlone() throws Exception {
        Path archive = copyWhatWasBuilt();
        Files.delete(archive);
        Files.writeString(archive, "no archive at all");
        assertFalse(notShared(run(folder)).isEmpty());
    }

    @Test
    void anArchiveOfAnotherJavaIsLeftAlone() throws Exception {
        Path archive = copyWhatWasBuilt();
        List<Path> others;
        try (Stream<Path> files = Files.list(archive.getParent())) {
            others = files.filter(path -> path.toString().matches(".*/classes-[0-9]+\\.jsa") && !path.equals(archive))
                    .toList();
        }
        assumeTrue(!others.isEmpty(), "only one version of Java is installed here");
        Files.move(others.get(0), archive, StandardCopyOption.REPLACE_EXISTING);
        assertFalse(notShared(run(folder)).isEmpty());
    }

    private static boolean fromArchive(String loaded, String name) {
        return loaded.lines().anyMatch(line -> line.contains(" " + name + " source: shared objects file"));
    }

    /**
     * Sluice's own that were read from a jar: a lambda, which has none, is in the archive only where the rehearsal came
     * by it.
     */
    private static List<String> notShared(String loaded) {
        return loaded.lines()
                .filter(line -> line.contains(" org.sluice.")
                        && line.contains(" source: file:")
                        && !line.contains(" " + Program.class.getName() + " "))
                .toList();
    }

    /**
     * Runs a job of two.
     *
     * @param checkout the folder above what was built
     * @return where one rank's classes came from
     */
    private String run(Path checkout) throws Exception {
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        String tests = Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of(
                "-Dsluice.home=" + checkout,
                "-jar",
                checkout.resolve(".build/lib/cli/sluice-cli.jar").toString(),
                "run",
                "-n",
                "2",
                String.format(SAYS_WHERE_FROM, folder),
                "-cp",
                tests,
                Program.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out)
                .redirectError(err)
                .start();
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended, "still running after 100 s");
        assertEquals("", Files.readString(err.toPath()), "nobody is told of archives");
        assertEquals("2 ranks\n2 ranks\n", Files.readString(out.toPath()));
        assertEquals(0, process.exitValue());
        try (Stream<Path> files = Files.list(folder)) {
            return Files.readString(
                    files.filter(path -> path.getFileName().toString().startsWith("loads-"))
                            .findFirst()
                            .orElseThrow());
        }
    }
}
