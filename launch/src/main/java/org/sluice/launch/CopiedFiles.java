package org.sluice.launch;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the launcher brings to this machine of a program, below a folder of this job's.
 *
 * <p>Thread: one; {@link #remove} any.
 *
 * <p>Owns: the files, until {@link #remove}.
 *
 * <p>Fails: what can't be written is read all the same and told once, with {@link #wrong}.
 *
 * <p>Proof: {@code ProgramCopyTest}, {@code HostsNodesTest}.
 */
final class CopiedFiles {
    private final Path folder;
    private String wrong = "";

    CopiedFiles(Path folder) {
        this.folder = folder;
    }

    /** Reads one file as {@link NodeWire} has it. */
    void take(DataInputStream in) throws IOException {
        String name = NodeWire.text(in);
        try (OutputStream to = wrong.isEmpty() ? open(name) : OutputStream.nullOutputStream()) {
            for (byte[] bytes = NodeWire.bytes(in); bytes.length > 0; bytes = NodeWire.bytes(in)) {
                write(to, name, bytes);
            }
        }
    }

    private OutputStream open(String name) {
        try {
            Path file = folder.resolve(name).normalize();
            if (!file.startsWith(folder) || file.equals(folder)) {
                throw new IOException("it lies outside of " + folder);
            }
            Files.createDirectories(file.getParent());
            return Files.newOutputStream(file);
        } catch (IOException | RuntimeException e) {
            wrong = name + " can't be written to " + folder + ": " + e.getMessage();
            return OutputStream.nullOutputStream();
        }
    }

    private void write(OutputStream to, String name, byte[] bytes) {
        try {
            if (wrong.isEmpty()) {
                to.write(bytes);
            }
        } catch (IOException e) {
            wrong = name + " can't be written to " + folder + ": " + e.getMessage();
        }
    }

    Path folder() {
        return folder;
    }

    /** Why something isn't there; empty if all is. */
    String wrong() {
        return wrong;
    }

    void remove() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all = new ArrayList<>();
        try (Stream<Path> inside = Files.walk(folder)) {
            inside.sorted(Comparator.reverseOrder()).forEach(all::add);
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
