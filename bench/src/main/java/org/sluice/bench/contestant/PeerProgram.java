package org.sluice.bench.contestant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A C program of ours.
 *
 * @param peer for messages
 * @param compiler as on the path
 * @param source its name, without {@code .c}
 * @param libraries as the compiler takes them
 */
public record PeerProgram(String peer, String compiler, String source, List<String> libraries) {
    /** The floor of {@code bench memory}. */
    public static final PeerProgram BARE_CONNECTIONS =
            new PeerProgram("limit", "gcc", "bare_connections", List.of("-lrdmacm", "-libverbs"));

    /** The floor of a race over TCP. */
    static final PeerProgram BARE_SOCKETS = new PeerProgram("sockets", "gcc", "bare_sockets", List.of());

    static PeerProgram over(MpiKind mpi) {
        return new PeerProgram(mpi.label(), mpi.compiler(), "mpi_peer", List.of());
    }

    /** All that somebody may ask for on this machine, each compiler once. */
    static List<PeerProgram> wanted() {
        List<PeerProgram> wanted = new ArrayList<>(List.of(BARE_CONNECTIONS, BARE_SOCKETS));
        Arrays.stream(MpiKind.values())
                .filter(MpiKind::installed)
                .map(PeerProgram::over)
                .filter(program -> wanted.stream().noneMatch(other -> other.compiler.equals(program.compiler)))
                .forEach(wanted::add);
        return wanted;
    }
}
