package org.sluice.hybrid.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A small memory file system for segments; the test is skipped, with the reason, where this user may not mount one. */
final class SmallFolder implements AutoCloseable {
    private final Path folder;

    private SmallFolder(Path folder) {
        this.folder = folder;
    }

    /** @param size as mount takes it: 256k, 16m */
    static SmallFolder mount(String size) throws Exception {
        Path folder = Files.createTempDirectory("sluice-small-");
        String refusal = run("mount", "-t", "tmpfs", "-o", "mode=1777,size=" + size, "none", folder.toString());
        if (!refusal.isEmpty()) {
            Files.delete(folder);
            Assumptions.abort("a tmpfs can't be mounted here: " + refusal);
        }
        return new SmallFolder(folder);
    }

    Path path() {
        return folder;
    }

    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Override
    public void close() throws Exception {
        String refusal = run("umount", "--lazy", folder.toString());
        if (!refusal.isEmpty()) {
            throw new IllegalStateException("umount " + folder + ": " + refusal);
        }
        Files.delete(folder);
    }

    /** @return what the command said when it failed, or nothing */
    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes()).strip();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "no end within 20 s";
        }
        return process.exitValue() == 0 ? "" : output + " (status " + process.exitValue() + ")";
    }
}
