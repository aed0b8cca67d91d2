package org.sluice.bench.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Compiles the C peer at its first use, beside the jar where that can be written, else in the user's cache folder. */
final class MpiBuild {
    private static final String SOURCE = "/org/sluice/bench/mpi/mpi_peer.c";
    private static final long COMPILE_MS = 120_000;
    private static final int NAME_DIGITS = 16;

    private MpiBuild() {
    }

    static Path program(MpiKind kind) throws IOException, ContestantFailure {
        byte[] source = source();
        Path folder = folder();
        Path program = folder.resolve(kind.compiler() + "-" + digest(source));
        if (Files.isExecutable(program)) {
            return program;
        }
        Path work = Files.createTempDirectory(folder, "compile");
        try {
            Path file = Files.write(work.resolve("mpi_peer.c"), source);
            Path result = work.resolve("mpi_peer");
            ChildProcess compiler = ChildProcess.start(List.of(kind.compiler(), "-std=gnu11", "-O2", "-o", result.toString(),
                    file.toString()), Map.of(), work);
            if (!compiler.awaitEnd(COMPILE_MS)) {
                compiler.kill();
            }
            if (!Files.isExecutable(result)) {
                throw new ContestantFailure(kind.label() + ": " + kind.compiler() + " could not compile the peer: " + compiler.report());
            }
            // Whole or not at all: two harnesses may build at once.
            return Files.move(result, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(work.resolve("mpi_peer.c"));
            Files.deleteIfExists(work.resolve("mpi_peer"));
            Files.deleteIfExists(work);
        }
    }

    private static byte[] source() throws IOException {
        try (InputStream in = MpiBuild.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException("the class path lacks " + SOURCE + ": build with ./sluice or Maven");
            }
            return in.readAllBytes();
        }
    }

    private static Path folder() throws IOException {
        try {
            Path here = Path.of(MpiBuild.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
            if (Files.isWritable(here)) {
                return Files.createDirectories(here.resolve("mpi-peers"));
            }
        } catch (URISyntaxException e) {
            throw new IOException("the jar's own place is no file: " + e.getMessage(), e);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base = cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return Files.createDirectories(base.resolve("sluice").resolve("mpi-peers"));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
