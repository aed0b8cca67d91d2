package org.sluice.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What jni/build.sh has the compiler and the linker put into each library against mistakes in C. */
@Tag("once")
final class HardeningTest {

    private static final Path LIBRARIES =
            Path.of("target/classes/org/sluice/jni").resolve(Platform.current().directory());

    private static List<Path> libraries() throws Exception {
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            List<Path> libraries =
                    files.filter(file -> file.toString().endsWith(".so")).toList();
            assertFalse(libraries.isEmpty(), () -> LIBRARIES + " holds no library");
            return libraries;
        }
    }

    private static String readelf(Path library) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/readelf")), "there is no readelf here");
        Process process = new ProcessBuilder(
                        "readelf", "-W", "--dynamic", "--program-headers", "--dyn-syms", "--notes", library.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }

    @Test
    void eachLibraryIsLinkedAtOnceAndThenReadOnly() throws Exception {
        for (Path library : libraries()) {
            String elf = readelf(library);
            assertTrue(elf.contains("GNU_RELRO") && elf.contains("BIND_NOW"), elf);
            assertTrue(elf.lines().anyMatch(line -> line.matches(" *GNU_STACK .* RW  .*")), elf);
            assertFalse(elf.contains("TEXTREL") || elf.contains("RPATH") || elf.contains("RUNPATH"), elf);
        }
    }

    @Test
    void eachLibraryGuardsItsStackAndItsBranches() throws Exception {
        for (Path library : libraries()) {
            String elf = readelf(library);
            assertTrue(elf.contains(" __stack_chk_fail@"), elf);
            if (Platform.current().machine().equals("x86_64")) {
                assertTrue(elf.contains("x86 feature: IBT, SHSTK"), elf);
            }
        }
    }

    /**
     * Of all calls that could write too far these alone are checked where they run; the compiler has proved the others
     * right.
     */
    @Test
    void whatFormatsTextIsChecked() throws Exception {
        String elf = readelf(LIBRARIES.resolve("libsluice_os.so"));
        assertTrue(elf.contains(" __snprintf_chk@") && !elf.contains(" snprintf@"), elf);
    }
}
