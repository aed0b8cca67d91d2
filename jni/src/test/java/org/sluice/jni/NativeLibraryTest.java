package org.sluice.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {

    @TempDir
    private Path directory;

    private static NativeLibrary load(String name, Platform platform, Path... directories) {
        return NativeLibrary.load(name, platform, List.of(directories), Map.of(), Map.of());
    }

    private static void assertEmpty(Path directory) throws IOException {
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void loadsAndLeavesNothingBehind() throws IOException {
        NativeLibrary library = load("os", Platform.current(), directory);
        assertTrue(library.loaded(), library.reason());
        assertEquals("", library.reason());
        assertNull(library.cause());
        assertEmpty(directory);
    }

    /** Nothing is unpacked then, as into a folder that isn't there nothing could be. */
    @Test
    void oneThatLiesReadyIsLoadedFromThere() throws IOException {
        Path ready = Files.createDirectory(directory.resolve("ready"));
        NativeLibrary.unpackAll(ready);
        NativeLibrary.unpackAll(ready);
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(ready.resolve("libsluice_os.so"))));
        Path nowhere = Files.createFile(directory.resolve("file"));
        Map<String, String> properties = Map.of(NativeLibrary.READY_FOLDER, ready.toString());
        NativeLibrary library = NativeLibrary.load("os", Platform.current(), List.of(nowhere), properties, Map.of());
        assertTrue(library.loaded(), library.reason());
        assertTrue(Files.readString(Path.of("/proc/self/maps")).contains(ready + "/libsluice_os.so"));
    }

    @Test
    void oneThatLiesReadyAndIsNoLibraryIsUnpackedAsEver() throws IOException {
        Path ready = Files.createDirectory(directory.resolve("ready"));
        Files.writeString(ready.resolve("libsluice_os.so"), "cut short");
        Map<String, String> properties = Map.of(NativeLibrary.READY_FOLDER, ready.toString());
        Path unpacking = Files.createDirectory(directory.resolve("unpacking"));
        NativeLibrary library = NativeLibrary.load("os", Platform.current(), List.of(unpacking), properties, Map.of());
        assertTrue(library.loaded(), library.reason());
        assertEmpty(unpacking);
    }

    @Test
    void makesADirectoryThatIsMissing() throws IOException {
        NativeLibrary library = load("os", Platform.current(), directory.resolve("a/b"));
        assertTrue(library.loaded(), library.reason());
        assertEmpty(directory.resolve("a/b"));
    }

    @Test
    void aLibraryThatIsNotInTheJarIsNamed() {
        NativeLibrary library = load("nothing", Platform.current(), directory);
        assertFalse(library.loaded());
        assertTrue(library.reason().contains("libsluice_nothing.so in this jar"), library.reason());
    }

    @Test
    void otherMachinesAndSystemsAreNamed() {
        NativeLibrary machine = load("os", Platform.of("Linux", "riscv64"), directory);
        assertTrue(machine.reason().endsWith("are for x86_64 and aarch64, and this is riscv64"), machine.reason());
        NativeLibrary system = load("os", Platform.of("Mac OS X", "aarch64"), directory);
        assertTrue(system.reason().endsWith("are for Linux, and this is Mac OS X"), system.reason());
    }

    @Test
    void aFileForAnotherMachineIsRecognised() throws IOException {
        Platform here = Platform.current();
        Platform there = Platform.of("Linux", here.machine().equals("x86_64") ? "aarch64" : "amd64");
        byte[] library;
        try (var stream = NativeLibrary.class.getResourceAsStream(here.directory() + "/libsluice_os.so")) {
            assertNotNull(stream);
            library = stream.readAllBytes();
        }
        assertNull(here.mismatch(library));
        assertTrue(there.mismatch(library).startsWith("for another machine (ELF machine "), there.mismatch(library));
        assertTrue(here.mismatch(new byte[10]).contains("cut short (10 bytes)"));
    }

    @Test
    void optionBeforeVariable() {
        Platform platform = Platform.current();
        List<Path> directories = List.of(directory);
        Map<String, String> off = Map.of("SLUICE_OS", "off");
        NativeLibrary variable = NativeLibrary.load("os", platform, directories, Map.of(), off);
        assertTrue(variable.reason().endsWith("by SLUICE_OS=off"), variable.reason());
        NativeLibrary on = NativeLibrary.load("os", platform, directories, Map.of("sluice.os", "on"), off);
        assertTrue(on.loaded(), on.reason());
        NativeLibrary wrong = NativeLibrary.load("os", platform, directories, Map.of("sluice.os", "no"), Map.of());
        assertTrue(wrong.reason().endsWith("-Dsluice.os is \"no\"; it may be \"on\" or \"off\""), wrong.reason());
    }

    @Test
    void noexecIsExplainedAndGoneRound() throws Exception {
        try (Tmpfs noexec = Tmpfs.mount("size=1m,noexec")) {
            NativeLibrary refused = load("os", Platform.current(), noexec.directory());
            assertFalse(refused.loaded());
            assertTrue(refused.reason().contains("mounted noexec"), refused.reason());
            assertInstanceOf(UnsatisfiedLinkError.class, refused.cause());
            NativeLibrary second = load("os", Platform.current(), noexec.directory(), directory);
            assertTrue(second.loaded(), second.reason());
            assertEmpty(noexec.directory());
        }
    }

    @Test
    void aFullDirectoryIsExplainedAndGoneRound() throws Exception {
        try (Tmpfs tiny = Tmpfs.mount("size=4k")) {
            NativeLibrary refused = load("os", Platform.current(), tiny.directory());
            assertTrue(refused.reason().contains("No space left on device"), refused.reason());
            assertInstanceOf(IOException.class, refused.cause());
            assertTrue(
                    load("os", Platform.current(), tiny.directory(), directory).loaded());
            assertEmpty(tiny.directory());
        }
    }

    @Test
    void noDirectoryAtAllSaysWhatToSet() {
        NativeLibrary library = load("os", Platform.current());
        assertTrue(library.reason().contains("point -Djava.io.tmpdir at one"), library.reason());
    }

    @Test
    void loaderMessagesBecomeAdvice() {
        Map<String, String> words = Map.of(
                "/lib/libc.so.6: version `GLIBC_2.99' not found", "C library is too old",
                "wrong ELF class: ELFCLASS32", "for another machine",
                "libibverbs.so.1: cannot open shared object file: No such file or directory",
                        "install libibverbs1 and ibverbs-providers",
                "librdmacm.so.1: cannot open shared object file: No such file or directory", "install librdmacm1",
                "libpmix.so.2: cannot open shared object file: No such file or directory", "install libpmix2",
                "Error loading shared library libfoo.so.3: No such file or directory", "is missing",
                "/lib/libibverbs.so.1: version `IBVERBS_1.11' not found", "libibverbs or librdmacm is too old",
                "Native Library x already loaded in another classloader", "above the class loaders");
        words.forEach((message, advice) -> {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
            assertFalse(LoadFailure.isOfDirectory(error), message);
            String text = LoadFailure.explain(error);
            assertTrue(text.contains(message) && text.contains(advice), text);
        });
    }

    @Test
    void unpackingDirectoriesInOrder() {
        Map<String, String> properties = Map.of("java.io.tmpdir", "/tmp", "user.home", "/home/me");
        assertEquals(
                List.of(
                        Path.of("/tmp"),
                        Path.of("/run/user/7"),
                        Path.of("/home/me/.cache/sluice"),
                        Path.of("/dev/shm")),
                UnpackingDirectories.of(
                        properties, Map.of("XDG_RUNTIME_DIR", "/run/user/7", "XDG_CACHE_HOME", "relative")));
        assertEquals(List.of(Path.of("/dev/shm")), UnpackingDirectories.of(Map.of("user.home", "?"), Map.of()));
    }
}
