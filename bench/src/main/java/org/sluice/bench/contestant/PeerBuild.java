package org.sluice.bench.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Compiles a C program of ours at its first use, beside the jar where that can be written, else in the user's cache folder. */
public final class PeerBuild {
    private static final String SOURCES = "/org/sluice/bench/c/";
    private static final long COMPILE_MS = 120_000;
    private static final int NAME_DIGITS = 16;

    private PeerBuild() {
    }

    /**
     * @param peer for messages
     * @param compiler as on the path
     * @param name of the source, without {@code .c}
     * @param libraries as the compiler takes them
     */
    public static Path program(String peer, String compiler, String name, List<String> libraries) throws IOException, ContestantFailure {
        byte[] source = source(name + ".c");
        Path folder = folder();
        Path program = folder.resolve(name + "-" + compiler + "-" + digest(source));
        if (Files.isExecutable(program)) {
            return program;
        }
        Path work = Files.createTempDirectory(folder, "compile");
        Path file = work.resolve(name + ".c");
        Path result = work.resolve(name);
        try {
            Files.write(file, source);
            List<String> command = new ArrayList<>(List.of(compiler, "-std=gnu11", "-O2", "-o", result.toString(), file.toString()));
            command.addAll(libraries);
            ChildProcess compilation = ChildProcess.start(command, Map.of(), work);
            if (!compilation.awaitEnd(COMPILE_MS)) {
                compilation.kill();
            }
            if (!Files.isExecutable(result)) {
                throw new ContestantFailure(peer + ": " + compiler + " could not compile the peer: " + compilation.report());
            }
            // Whole or not at all: two harnesses may build at once.
            return Files.move(result, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(result);
            Files.deleteIfExists(work);
        }
    }

    private static byte[] source(String file) throws IOException {
        try (InputStream in = PeerBuild.class.getResourceAsStream(SOURCES + file)) {
            if (in == null) {
                throw new IOException("the class path lacks " + SOURCES + file + ": build with ./sluice or Maven");
            }
            return in.readAllBytes();
        }
    }

    private static Path folder() throws IOException {
        try {
            Path here = Path.of(PeerBuild.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
            if (Files.isWritable(here)) {
                return Files.createDirectories(here.resolve("c-peers"));
            }
        } catch (URISyntaxException e) {
            throw new IOException("the jar's own place is no file: " + e.getMessage(), e);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base = cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return Files.createDirectories(base.resolve("sluice").resolve("c-peers"));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
