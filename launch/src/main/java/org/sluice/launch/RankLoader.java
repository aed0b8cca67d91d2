package org.sluice.launch;

import java.net.URL;
import java.util.List;

/**
 * The class loader of one rank: the program's classes are its own, so that static state is not shared between ranks of
 * one JVM.
 *
 * <p>Thread: any.
 *
 * <p>Proof: {@code RankThreadsProcessTest}.
 */
final class RankLoader extends OwnClassesLoader {
    static {
        registerAsParallelCapable();
    }

    private final int rank;

    RankLoader(int rank, URL[] classPath, ClassLoader parent, List<String> hidden) {
        super("rank-" + rank, classPath, parent, hidden);
        this.rank = rank;
    }

    int rank() {
        return rank;
    }
}
