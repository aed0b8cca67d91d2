package org.sluice.cli.vm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Where things are: under the checkout's .build/vm what tools/vm/image.sh made, what comes back from guests, and this
 * run's scripts and logs; the sockets there too, or elsewhere if that made their names longer than the kernel allows.
 */
final class VmFolders {
    private static final int LONGEST_SOCKET_BYTES = 107;
    private static final int LAST_LINES = 15;
    private static final int PANIC_LINES = 80;
    private static final long KEPT_MS = TimeUnit.DAYS.toMillis(7);

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
        forgetOld(Files.createDirectories(state.resolve("runs")));
        Path run = Files.createTempDirectory(state.resolve("runs"), "");
        Path longest = run.resolve("sockets/control9");
        Path sockets = longest.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_BYTES
                ? Files.createDirectory(longest.getParent())
                : Files.createTempDirectory("sluice-vm-");
        return new VmFolders(state, run, sockets);
    }

    /** Logs are kept of runs that failed, for a while. */
    private static void forgetOld(Path runs) throws IOException {
        try (Stream<Path> folders = Files.list(runs)) {
            folders.filter(folder ->
                            System.currentTimeMillis() - folder.toFile().lastModified() > KEPT_MS)
                    .forEach(VmFolders::remove);
        }
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
                lines.subList(interesting(lines), lines.size())
                        .forEach(line -> text.append("\n            ").append(line));
            }
        }
        return text.isEmpty() ? "\n        QEMU and the guest printed nothing" : text.toString();
    }

    /** Where a panic begins, or what is left for the last lines. */
    private static int interesting(List<String> lines) {
        int last = Math.max(0, lines.size() - LAST_LINES);
        for (int i = Math.max(0, lines.size() - PANIC_LINES); i < last; i++) {
            if (lines.get(i).matches(".*(Kernel panic|BUG:|Oops:).*")) {
                return i;
            }
        }
        return last;
    }

    private static List<String> lines(Path log) {
        try {
            // The console speaks whatever its kernel does: no decoding can fail here.
            return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
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

    void close() {
        remove(sockets);
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // Gone already, which is what was wanted.
        } catch (IOException | UncheckedIOException e) {
            // Another thread may be removing it too; else it is only in the way, and not of this run.
            System.err.println("sluice: cannot remove " + folder + ": " + e.getMessage());
        }
    }
}
