package org.sluice.bench.rank;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long this JVM's compilers have worked, by the kernel's account of their threads. The JVM's own figure counts a
 * compilation once it has ended, and one can take seconds where the processor is emulated.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: never; a thread that ended keeps what it had when it was last seen.
 * <i>Proof</i>: {@code CompilerTimeTest}.
 */
final class CompilerTime {
    private static final Path THREADS = Path.of("/proc/self/task");
    /** As the kernel cuts their names. */
    private static final String FIRST = "C1 CompilerThre";

    private static final String SECOND = "C2 CompilerThre";
    /** Of the line's words after the name, which may have blanks and ends with the last parenthesis. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    /** The kernel tells all programs of hundredths of a second, whatever it counts in. */
    private static final int MS_PER_TICK = 10;

    private final Path threads;
    private final Map<Path, Long> ticks = new HashMap<>();

    CompilerTime() {
        this(THREADS);
    }

    CompilerTime(Path threads) {
        this.threads = threads;
    }

    /** Milliseconds of processor time so far, never less than before. */
    long ms() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                look(thread);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // What is known stays.
        }
        return MS_PER_TICK * ticks.values().stream().mapToLong(Long::longValue).sum();
    }

    private void look(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm")).trim();
            if (name.equals(FIRST) || name.equals(SECOND)) {
                String stat = Files.readString(thread.resolve("stat"));
                String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                ticks.merge(
                        thread.getFileName(),
                        Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS]),
                        Math::max);
            }
        } catch (IOException e) {
            // It ended meanwhile.
        }
    }
}
