package org.sluice.jni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A small file system of a test's own; the test is skipped, with the reason, where this user may not mount one. */
public final class Tmpfs implements AutoCloseable {

    private final Path directory;

    private Tmpfs(Path directory) {
        this.directory = directory;
    }

    public static Tmpfs mount(String options) throws Exception {
        Path directory = Files.createTempDirectory("sluice-tmpfs-");
        String refusal = run("mount", "-t", "tmpfs", "-o", options, "none", directory.toString());
        if (refusal != null) {
            Files.delete(directory);
            Assumptions.abort("a tmpfs cannot be mounted here: " + refusal);
        }
        return new Tmpfs(directory);
    }

    public Path directory() {
        return directory;
    }

    /** Lazily: glibc keeps part of a library mapped that it could not load, so the file system stays busy. */
    @Override
    public void close() throws Exception {
        String refusal = run("umount", "--lazy", directory.toString());
        if (refusal != null) {
            throw new IllegalStateException("umount " + directory + ": " + refusal);
        }
        Files.delete(directory);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "did not end in 20 s";
        }
        return process.exitValue() == 0 ? null : output.strip();
    }
}
