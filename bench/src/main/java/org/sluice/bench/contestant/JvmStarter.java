package org.sluice.bench.contestant;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.rank.RankSetup;

/** Ranks that are JVMs of our own, without Sluice: the floors and the peers that are Java libraries. */
final class JvmStarter implements Starter {
    /** How the ranks are placed and what they share. */
    enum Shared {
        /** One JVM with a thread for each rank. */
        MEMORY,
        /** A JVM for each rank, and a file that all map. */
        FILE,
        /** A JVM for each rank, and a folder. */
        FOLDER
    }

    private final JavaCommand java;
    private final RankSetup setup;
    private final Shared shared;
    private final long sharedBytes;
    private volatile WorkFolder folder;

    /** @param sharedBytes of the file; for a folder, what will be needed in it */
    JvmStarter(JavaCommand java, RankSetup setup, Shared shared, long sharedBytes) {
        this.java = java;
        this.setup = setup;
        this.shared = shared;
        this.sharedBytes = sharedBytes;
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        String path = "";
        if (shared != Shared.MEMORY) {
            path = share().toString();
        }
        int processes = shared == Shared.MEMORY ? 1 : setup.ranks();
        int ranksHere = shared == Shared.MEMORY ? setup.ranks() : 1;
        List<Running> started = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            RankSetup rank = new RankSetup(
                    setup.kind(),
                    setup.api(),
                    setup.buffer(),
                    setup.ranks(),
                    i * ranksHere,
                    ranksHere,
                    path,
                    setup.largest(),
                    setup.crowd());
            started.add(ChildProcess.start(java.rank(rank, environment), environment, null));
        }
        return started;
    }

    private Path share() throws IOException, ContestantFailure {
        folder = WorkFolder.create();
        if (folder.freeBytes() < sharedBytes) {
            throw new ContestantFailure(setup.kind() + " needs " + sharedBytes + " B in "
                    + folder.path().getParent() + ", where " + folder.freeBytes()
                    + " B are free: make it larger, or leave the largest --sizes out");
        }
        Path path = folder.path().resolve(setup.kind());
        if (shared == Shared.FILE) {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(sharedBytes);
            }
        }
        return path;
    }

    @Override
    public void ranksAreReady() {
        if (shared == Shared.FILE) {
            close();
        }
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
