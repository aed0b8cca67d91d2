package mpi;

import java.util.Map;
import org.sluice.mpi.Naming;

/** Calls as this package names them, those that wait. Immutable. */
final class Names implements Naming {
    private static final Map<String, String> OF_COLLECTIVES = Map.ofEntries(
            Map.entry("broadcast", "bcast"),
            Map.entry("gatherBlocks", "gatherv"),
            Map.entry("scatterBlocks", "scatterv"),
            Map.entry("allGatherBlocks", "allGatherv"),
            Map.entry("allToAllBlocks", "allToAllv or allToAllw"),
            Map.entry("exclusiveScan", "exScan"),
            Map.entry("neighbourAllGather", "neighborAllGather"),
            Map.entry("neighbourAllGatherBlocks", "neighborAllGatherv"),
            Map.entry("neighbourAllToAll", "neighborAllToAll"),
            Map.entry("neighbourAllToAllBlocks", "neighborAllToAllv"),
            Map.entry("the making of a communicator", "what makes a communicator (split, createCart, dup)"));

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
