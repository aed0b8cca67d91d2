package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.cli.doctor.Finding;

/** What the doctor says of killed benchmarks, and removes. */
@Tag("once")
final class BenchLeftoversTest {
    @TempDir
    private Path first;

    @TempDir
    private Path second;

    private final StringWriter said = new StringWriter();

    /** Of a harness that was killed: nobody holds its lock. */
    private static Path orphan(Path parent, int number) throws Exception {
        Path folder = Files.createDirectory(parent.resolve("sluice-bench-1-" + number));
        Files.createFile(folder.resolve("harness.lock"));
        return folder;
    }

    private static Path nested(Path folder) throws Exception {
        return Files.createDirectories(folder.resolve(("d".repeat(200) + "/").repeat(12)));
    }

    private int clean(Path... parents) {
        said.getBuffer().setLength(0);
        return new BenchLeftovers(List.of(parents)).clean(new PrintWriter(said, true));
    }

    @Test
    void whatIsFoundInEitherFolderIsNamedAndCleaned() throws Exception {
        BenchLeftovers leftovers = new BenchLeftovers(List.of(first, second));
        assertEquals(Finding.Level.OK, leftovers.examine().level());
        assertEquals(
                "none of killed benchmarks in " + first + " and " + second,
                leftovers.examine().text());
        Path one = orphan(first, 1);
        Path other = orphan(second, 2);
        Files.write(Files.createDirectory(other.resolve("mpi")).resolve("segment"), new byte[5 << 10]);
        Path living = Files.createDirectory(
                second.resolve("sluice-bench-" + ProcessHandle.current().pid() + "-3"));
        Finding found = leftovers.examine();
        assertEquals(Finding.Level.SLOWER, found.level());
        assertEquals("2 of killed benchmarks, 5 KB: " + one + " " + other, found.text());
        assertTrue(found.advice().contains("--clean"), found.advice());
        assertEquals(2, clean(first, second));
        assertEquals("removed " + one + "\nremoved " + other + "\n", said.toString());
        assertFalse(Files.exists(one) || Files.exists(other));
        assertTrue(Files.exists(living));
        assertEquals(0, clean(first, second));
        assertEquals("", said.toString());
    }

    /** Its path is longer than the kernel takes, which stops root too. */
    @Test
    void whatCannotBeReadOrRemovedKeepsNothingElse() throws Exception {
        Path stuck = orphan(first, 1);
        Path inner = nested(Files.createDirectory(stuck.resolve("m")));
        Path small = Files.write(stuck.resolve("z"), new byte[2 << 10]);
        Path early = Files.write(stuck.resolve("a"), new byte[1 << 10]);
        Path other = orphan(second, 2);
        nested(Files.createDirectory(second.resolve("tree")));
        Path tree = Files.move(second.resolve("tree"), inner.resolve("tree"));
        try {
            Path none = first.resolve("none");
            Finding found = new BenchLeftovers(List.of(none, first, second)).examine();
            assertEquals(Finding.Level.SLOWER, found.level());
            assertTrue(
                    found.text()
                            .startsWith("2 of killed benchmarks, 3 KB: " + stuck + " " + other
                                    + "; of killed benchmarks could not be looked for in " + none),
                    found.text());
            assertEquals(1, clean(none, first, second));
            List<String> lines = said.toString().lines().toList();
            assertEquals(3, lines.size(), lines.toString());
            assertTrue(lines.get(0).startsWith("could not look for killed benchmarks in " + none), lines.toString());
            assertTrue(lines.get(1).startsWith("could not remove " + stuck + ": "), lines.toString());
            assertEquals("removed " + other, lines.get(2));
            assertFalse(Files.exists(small) || Files.exists(early) || Files.exists(other));
            assertEquals(0, clean(first), "what is left of it is still known");
            assertTrue(said.toString().startsWith("could not remove " + stuck), said.toString());
        } finally {
            Files.move(tree, second.resolve("tree"));
        }
        assertEquals(1, clean(first));
        assertFalse(Files.exists(stuck));
    }

    @Test
    void aFolderThatCannotBeReadIsAFinding() {
        Finding found = new BenchLeftovers(List.of(first.resolve("none"))).examine();
        assertEquals(Finding.Level.INFORMATION, found.level());
        assertTrue(
                found.text().startsWith("of killed benchmarks could not be looked for in " + first.resolve("none")),
                found.text());
    }
}
