package org.sluice.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.bench.breakdown.BreakdownBench;
import org.sluice.bench.cold.ColdBench;
import org.sluice.bench.gc.GcWaitBench;
import org.sluice.bench.kernels.KernelName;
import org.sluice.bench.memory.MemoryBench;
import org.sluice.bench.papers.Figures;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.queens.QueensBench;
import org.sluice.bench.reuse.ReuseBench;
import org.sluice.bench.verbs.IbChannelBench;

/** The page that leads from the papers to the code names what is there: classes, tests and benchmarks. */
@Tag("once")
final class PapersMapTest {
    private static final Set<String> BY_THEMSELVES = Set.of(
            BreakdownBench.NAME,
            "coalescing",
            ColdBench.NAME,
            Figures.BENCHMARK,
            GcWaitBench.NAME,
            IbChannelBench.NAME,
            MemoryBench.NAME,
            QueensBench.NAME,
            ReuseBench.NAME);

    private final Documents documents = new Documents();

    @Test
    void everyClassExists() throws IOException {
        Set<String> classes = sources();
        Set<String> named = named("`([A-Z][a-z]\\w*)`");
        assertTrue(named.size() >= 100, "the page names only " + named);
        named.removeAll(classes);
        assertEquals(Set.of(), named);
    }

    /** Names of all sources; what is built beside them may come and go meanwhile. */
    private Set<String> sources() throws IOException {
        Set<String> names = new TreeSet<>();
        Files.walkFileTree(documents.root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean isBuilt = name.equals("target") || name.startsWith(".");
                return isBuilt ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java") || name.endsWith(".kt")) {
                    names.add(name.substring(0, name.lastIndexOf('.')));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return names;
    }

    @Test
    void everyBenchmarkExists() throws IOException {
        Set<String> named = named("\\./sluice bench ([a-z][a-z-]*)");
        assertTrue(named.size() >= 10, "the page names only " + named);
        named.removeIf(PapersMapTest::isBenchmark);
        assertEquals(Set.of(), named);
    }

    private static boolean isBenchmark(String name) {
        if (BY_THEMSELVES.contains(name) || KernelName.named(name).isPresent()) {
            return true;
        }
        try {
            return !Benchmark.named(name).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Set<String> named(String pattern) throws IOException {
        return new TreeSet<>(Documents.find(documents.text("docs/explanation/from-the-papers.md"), pattern));
    }
}
