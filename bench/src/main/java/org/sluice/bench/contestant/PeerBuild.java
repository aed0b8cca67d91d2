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
import java.util.function.Consumer;

/**
 * Compiles a C program of ours at its first use, beside the jar where that can be written, else in the user's cache
 * folder. In a guest nothing is built: {@code ./sluice vm} has everything compiled on the host, and says to the guest
 * where it is.
 *
 * <p>Proof: {@code PeerBuildTest}, {@code MemoryRxeTest}.
 */
public final class PeerBuild {
    /** Where a guest finds the programs; its beginning is that of all variables of a guest. */
    public static final String FOLDER_VARIABLE = "SLUICE_VM_PROGRAMS";

    private static final String NODE_VARIABLE = "SLUICE_VM_NODE";
    private static final String SOURCES = "/org/sluice/bench/c/";
    private static final long COMPILE_MS = 120_000;
    private static final int NAME_DIGITS = 16;

    private PeerBuild() {}

    public static Path program(PeerProgram wanted) throws IOException, ContestantFailure {
        return program(wanted, System.getenv());
    }

    static Path program(PeerProgram wanted, Map<String, String> environment) throws IOException, ContestantFailure {
        byte[] source = source(wanted.source() + ".c");
        String name = wanted.source() + "-" + wanted.compiler() + "-" + digest(source);
        if (environment.containsKey(NODE_VARIABLE)) {
            return built(wanted, environment.get(FOLDER_VARIABLE), name);
        }
        Path folder = folder();
        Path program = folder.resolve(name);
        return Files.isExecutable(program) ? program : compile(wanted, source, folder, program);
    }

    private static Path built(PeerProgram wanted, String folder, String name) throws ContestantFailure {
        if (folder == null || !Files.isExecutable(Path.of(folder, name))) {
            throw new ContestantFailure(wanted.peer() + ": its program (" + name
                    + ") is not built, and a guest builds nothing; ./sluice vm has it built on "
                    + "the host, in " + (folder == null ? "the folder that " + FOLDER_VARIABLE + " names" : folder)
                    + ", and says there what keeps it from that");
        }
        return Path.of(folder, name);
    }

    /**
     * Compiles what a guest may ask for and this machine can compile.
     *
     * @param failed is told of each that could not be compiled
     * @return where they are
     */
    public static Path prepare(Consumer<String> failed) throws IOException {
        for (PeerProgram wanted : PeerProgram.wanted()) {
            try {
                program(wanted);
            } catch (IOException | ContestantFailure e) {
                failed.accept(e.getMessage());
            }
        }
        return folder();
    }

    private static Path compile(PeerProgram wanted, byte[] source, Path folder, Path program)
            throws IOException, ContestantFailure {
        Path work = Files.createTempDirectory(folder, "compile");
        Path file = work.resolve(wanted.source() + ".c");
        Path result = work.resolve(wanted.source());
        try {
            Files.write(file, source);
            List<String> command = new ArrayList<>(
                    List.of(wanted.compiler(), "-std=gnu11", "-O2", "-o", result.toString(), file.toString()));
            command.addAll(wanted.libraries());
            ChildProcess compilation = ChildProcess.start(command, Map.of(), work);
            if (!compilation.awaitEnd(COMPILE_MS)) {
                compilation.kill();
            }
            if (!Files.isExecutable(result)) {
                throw new ContestantFailure(wanted.peer() + ": " + wanted.compiler() + " could not compile the peer: "
                        + compilation.report());
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
            Path here = Path.of(PeerBuild.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getParent();
            if (Files.isWritable(here)) {
                return Files.createDirectories(here.resolve("c-peers"));
            }
        } catch (URISyntaxException e) {
            throw new IOException("the jar's own place is no file: " + e.getMessage(), e);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return Files.createDirectories(base.resolve("sluice").resolve("c-peers"));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
