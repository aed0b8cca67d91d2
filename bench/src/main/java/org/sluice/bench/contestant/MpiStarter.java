package org.sluice.bench.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ranks that are processes of our C program, started by an MPI's own launcher. */
final class MpiStarter implements Starter {
    private final MpiKind kind;
    private final int ranks;
    private final boolean pinned;
    private final boolean crowded;
    private volatile WorkFolder folder;

    /** @param crowded whether there are more ranks than cores */
    MpiStarter(MpiKind kind, int ranks, boolean pinned, boolean crowded) {
        this.kind = kind;
        this.ranks = ranks;
        this.pinned = pinned;
        this.crowded = crowded;
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        Path program = PeerBuild.program(PeerProgram.over(kind));
        folder = WorkFolder.create();
        Map<String, String> all = new HashMap<>(environment);
        // Debian's Open MPI refuses root otherwise; in a container or a VM root is who benchmarks.
        all.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        all.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        all.put("TMPDIR", folder.path().toString());
        List<String> command = new ArrayList<>(List.of(kind.launcher(), "-n", Integer.toString(ranks)));
        command.addAll(kind.options(pinned, crowded, folder.path()));
        command.add(program.toString());
        return List.of(ChildProcess.start(command, all, folder.path()));
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
