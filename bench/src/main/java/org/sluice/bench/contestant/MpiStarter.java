package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks that are processes of our C program, started by an MPI's own launcher. Between nodes it starts one of its own
 * kind on each, which is all that tells it which ranks share memory. This machine's, too, then has a /dev/shm of its
 * own, of which nothing stays.
 */
final class MpiStarter implements Starter {
    private final MpiKind kind;
    private final int ranks;
    private final boolean pinned;
    private final boolean crowded;
    private final Wire wire;
    private volatile WorkFolder folder;

    /** @param crowded whether there are more ranks than cores */
    MpiStarter(MpiKind kind, int ranks, boolean pinned, boolean crowded, Wire wire) {
        this.kind = kind;
        this.ranks = ranks;
        this.pinned = pinned;
        this.crowded = crowded;
        this.wire = wire;
    }

    @Override
    public InetAddress harness() {
        return wire.here();
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        Path program = PeerBuild.program(PeerProgram.over(kind));
        folder = wire.isBetweenNodes() ? WorkFolder.createOutsideMemory() : WorkFolder.create();
        Path here = wire.isOfMachines() ? null : folder.path();
        Map<String, String> all = new HashMap<>(environment);
        // Debian's Open MPI refuses root otherwise; in a container or a VM root is who benchmarks.
        all.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        all.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        if (here != null) {
            // Of this machine alone.
            all.put("TMPDIR", here.toString());
        }
        all.putAll(kind.environment(wire));
        List<String> command =
                new ArrayList<>(wire.isBetweenNodes() && !wire.isOfMachines() ? OwnMemory.PREFIX : List.of());
        command.add(kind.launcher());
        command.addAll(kind.options(pinned, crowded, folder.path(), wire));
        if (wire.isBetweenNodes()) {
            command.addAll(kind.hosts(wire, ranks / wire.addresses().size(), shell(), crowded));
        }
        if (wire.isLoopback() || wire.isBetweenNodes()) {
            command.addAll(part(0, ranks, program));
        } else {
            int first = ranks - ranks / 2;
            command.addAll(part(0, first, program));
            command.add(":");
            command.addAll(part(first, ranks / 2, program));
        }
        return List.of(ChildProcess.start(command, all, here));
    }

    private List<String> part(int first, int count, Path program) {
        List<String> words = new ArrayList<>(List.of("-n", Integer.toString(count)));
        words.addAll(wire.prefix(first, ranks));
        words.add(program.toString());
        return words;
    }

    private Path shell() throws IOException {
        if (wire.isOfMachines()) {
            return wire.shell();
        }
        Path file = folder.path().resolve("shell");
        wire.writeShell(file);
        return file;
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
