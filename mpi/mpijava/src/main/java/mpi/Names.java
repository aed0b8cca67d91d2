package mpi;

import java.util.Map;
import org.sluice.mpi.Naming;

/** Calls as this package names them. Immutable. */
final class Names implements Naming {
    private static final Map<String, String> OF_COLLECTIVES = Map.ofEntries(
            Map.entry("barrier", "Barrier"),
            Map.entry("broadcast", "Bcast"),
            Map.entry("gather", "Gather"),
            Map.entry("gatherBlocks", "Gatherv"),
            Map.entry("scatter", "Scatter"),
            Map.entry("scatterBlocks", "Scatterv"),
            Map.entry("allGather", "Allgather"),
            Map.entry("allGatherBlocks", "Allgatherv"),
            Map.entry("allToAll", "Alltoall"),
            Map.entry("allToAllBlocks", "Alltoallv"),
            Map.entry("reduce", "Reduce"),
            Map.entry("allReduce", "Allreduce"),
            Map.entry("reduceScatter", "Reduce_scatter"),
            Map.entry("scan", "Scan"),
            Map.entry("the making of a communicator", "what makes a communicator (Split, Create_cart, clone)"));

    @Override
    public String collective(String name) {
        return OF_COLLECTIVES.getOrDefault(name, name);
    }

    @Override
    public String afterDeath() {
        return "what it has printed may say why. This job can only end; a program that goes on without a rank is"
                + " written with Sluice's own Communicator";
    }
}
