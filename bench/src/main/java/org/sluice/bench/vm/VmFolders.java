package org.sluice.bench.vm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where things are: under the checkout's .build/vm what tools/vm/image.sh made, what comes back from guests, and this run's scripts and
 * logs; in a short path of its own the sockets, whose names the kernel limits to 107 bytes.
 */
final class VmFolders implements AutoCloseable {
    private final Path state;
    private final Path run;
    private final Path sockets;

    private VmFolders(Path state, Path run, Path sockets) {
        this.state = state;
        this.run = run;
        this.sockets = sockets;
    }

    static VmFolders create(Path home) throws IOException {
        Path state = home.resolve(".build/vm");
        Files.createDirectories(state.resolve("out"));
        Files.createDirectories(state.resolve("runs"));
        return new VmFolders(state, Files.createTempDirectory(state.resolve("runs"), ""), Files.createTempDirectory("sluice-vm-"));
    }

    /** The only folder of the host that guests write to. */
    Path out() {
        return state.resolve("out");
    }

    Path kernel() throws IOException {
        return state.resolve("kernel/boot/vmlinuz-" + kernelVersion());
    }

    String kernelVersion() throws IOException {
        return Files.readString(state.resolve("kernel/version")).strip();
    }

    Path initramfs() {
        return state.resolve("initramfs");
    }

    /** The remembered answer of {@link Accelerator}. */
    Path accelerator() {
        return state.resolve("accelerator");
    }

    /** What a guest sees of this run. */
    Path guest(int node) throws IOException {
        return Files.createDirectories(run.resolve("node" + node));
    }

    Path console(String of) {
        return run.resolve(of + "-console.log");
    }

    Path qemuLog(String of) {
        return run.resolve(of + "-qemu.log");
    }

    Path socket(String name) {
        return sockets.resolve(name);
    }

    /** The last lines of the logs of a guest, and where they are. */
    String lastLines(String of) {
        StringBuilder text = new StringBuilder();
        for (Path log : List.of(qemuLog(of), console(of))) {
            List<String> lines = lines(log);
            if (!lines.isEmpty()) {
                text.append("\n        the end of ").append(log).append(':');
                lines.subList(Math.max(0, lines.size() - 15), lines.size()).forEach(line -> text.append("\n            ").append(line));
            }
        }
        return text.isEmpty() ? "\n        QEMU and the guest printed nothing" : text.toString();
    }

    private static List<String> lines(Path log) {
        try {
            // The console speaks whatever its kernel does: no decoding can fail here.
            return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines()
                    .filter(line -> !line.isBlank()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the logs too: for a run that went well. */
    void forget() {
        remove(run);
    }

    @Override
    public void close() {
        remove(sockets);
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // Gone already, which is what was wanted.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
