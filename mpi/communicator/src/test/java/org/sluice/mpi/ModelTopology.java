package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A topology at random, of which the model knows all neighbours of all ranks, without asking a communicator. */
final class ModelTopology {
    /** One edge of a directed graph. */
    private record Edge(int source, int destination, int weight, int giver) {}

    private final Random random;
    private final int worldSize;
    /** By rank; -1 for nobody. */
    int[][] sources;

    int[][] destinations;
    /** Null where they have none. */
    int[][] sourceWeights;

    int[][] destinationWeights;
    private boolean isGrid;
    String words;

    /** All ranks draw the same. */
    ModelTopology(Random random, int worldSize) {
        this.random = random;
        this.worldSize = worldSize;
    }

    /** @return null for a rank that is left out */
    TopologyCommunicator make(Communicator world) {
        switch (random.nextInt(4)) {
            case 0:
                return grid(world);
            case 1:
                return graph(world);
            case 2:
                return adjacent(world);
            default:
                return general(world);
        }
    }

    /** Which of the sender's blocks comes as this block of a rank's. */
    int sentAs(int rank, int block) {
        if (isGrid) {
            return block % 2 == 0 ? block + 1 : block - 1;
        }
        int source = sources[rank][block];
        int before = 0;
        for (int i = 0; i < block; i++) {
            before += sources[rank][i] == source ? 1 : 0;
        }
        int at = 0;
        while (destinations[source][at] != rank || before-- > 0) {
            at++;
        }
        return at;
    }

    // --- grids -------------------------------------------------------------------------------------------------------

    private TopologyCommunicator grid(Communicator world) {
        int[] dims = new int[random.nextInt(4)];
        boolean[] periodic = new boolean[dims.length];
        boolean[] keep = new boolean[dims.length];
        int rest = worldSize;
        for (int i = 0; i < dims.length; i++) {
            dims[i] = 1 + random.nextInt(random.nextBoolean() ? rest : Math.min(rest, 2));
            rest /= dims[i];
            periodic[i] = random.nextBoolean();
            keep[i] = random.nextBoolean();
        }
        boolean isSub = random.nextInt(3) == 0;
        boolean reorder = random.nextBoolean();
        CartesianCommunicator made = world.createCartesian(dims, periodic, reorder);
        if (reorder) {
            int rank = made == null ? Group.NO_RANK : made.rank();
            assertEquals(rank, world.cartesianRank(dims, periodic), () -> Arrays.toString(dims));
        }
        if (made != null && isSub) {
            CartesianCommunicator whole = made;
            made = whole.sub(keep);
            whole.free();
        }
        know(isSub ? kept(dims, keep) : dims, isSub ? kept(periodic, keep) : periodic);
        return made;
    }

    private static int[] kept(int[] dims, boolean[] keep) {
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < dims.length; i++) {
            if (keep[i]) {
                kept.add(dims[i]);
            }
        }
        return kept.stream().mapToInt(i -> i).toArray();
    }

    private static boolean[] kept(boolean[] periodic, boolean[] keep) {
        boolean[] kept = new boolean[periodic.length];
        int count = 0;
        for (int i = 0; i < periodic.length; i++) {
            if (keep[i]) {
                kept[count++] = periodic[i];
            }
        }
        return Arrays.copyOf(kept, count);
    }

    private void know(int[] dims, boolean[] periodic) {
        isGrid = true;
        words = "grid of " + Arrays.toString(dims) + ", periodic " + Arrays.toString(periodic);
        int size = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        sources = new int[size][2 * dims.length];
        int stride = size;
        for (int i = 0; i < dims.length; i++) {
            stride /= dims[i];
            for (int rank = 0; rank < size; rank++) {
                int at = rank / stride % dims[i];
                int base = rank - at * stride;
                int last = dims[i] - 1;
                int nobody = -1;
                sources[rank][2 * i] = at > 0 ? base + (at - 1) * stride : periodic[i] ? base + last * stride : nobody;
                sources[rank][2 * i + 1] = at < last ? base + (at + 1) * stride : periodic[i] ? base : nobody;
            }
        }
        destinations = sources;
    }

    // --- graphs ------------------------------------------------------------------------------------------------------

    private TopologyCommunicator graph(Communicator world) {
        int nodes = 1 + random.nextInt(worldSize);
        List<List<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            lists.add(new ArrayList<>());
        }
        for (int edges = random.nextInt(3 * nodes); edges > 0; edges--) {
            int from = random.nextInt(nodes);
            int to = random.nextInt(nodes);
            lists.get(from).add(to);
            if (from != to) {
                lists.get(to).add(from);
            }
        }
        sources = new int[nodes][];
        int[] index = new int[nodes];
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Collections.shuffle(lists.get(i), random);
            all.addAll(lists.get(i));
            index[i] = all.size();
            sources[i] = lists.get(i).stream().mapToInt(each -> each).toArray();
        }
        destinations = sources;
        words = "graph of " + lists;
        return world.createGraph(index, all.stream().mapToInt(i -> i).toArray());
    }

    private List<Edge> edges() {
        List<Edge> edges = new ArrayList<>();
        for (int count = random.nextInt(4 * worldSize); count > 0; count--) {
            Edge edge = new Edge(
                    random.nextInt(worldSize), random.nextInt(worldSize), random.nextInt(5), random.nextInt(worldSize));
            edges.add(edge);
            if (random.nextInt(4) == 0) {
                edges.add(edge);
            }
        }
        return edges;
    }

    /** Both ends of all edges, in the order of two lists. */
    private void know(List<Edge> incoming, List<Edge> outgoing, boolean isWeighted) {
        sources = new int[worldSize][];
        destinations = new int[worldSize][];
        sourceWeights = isWeighted ? new int[worldSize][] : null;
        destinationWeights = isWeighted ? new int[worldSize][] : null;
        for (int i = 0; i < worldSize; i++) {
            int rank = i;
            List<Edge> in = incoming.stream().filter(e -> e.destination == rank).toList();
            List<Edge> out = outgoing.stream().filter(e -> e.source == rank).toList();
            sources[i] = in.stream().mapToInt(Edge::source).toArray();
            destinations[i] = out.stream().mapToInt(Edge::destination).toArray();
            if (isWeighted) {
                sourceWeights[i] = in.stream().mapToInt(Edge::weight).toArray();
                destinationWeights[i] = out.stream().mapToInt(Edge::weight).toArray();
            }
        }
    }

    private TopologyCommunicator adjacent(Communicator world) {
        List<Edge> incoming = edges();
        words = "adjacent graph of " + incoming;
        List<Edge> outgoing = new ArrayList<>(incoming);
        Collections.shuffle(outgoing, random);
        int rank = world.rank();
        if (random.nextBoolean()) {
            know(incoming, outgoing, true);
            return world.createDistributedGraphAdjacent(
                    sources[rank], sourceWeights[rank], destinations[rank], destinationWeights[rank]);
        }
        know(incoming, outgoing, false);
        return world.createDistributedGraphAdjacent(sources[rank], destinations[rank]);
    }

    private TopologyCommunicator general(Communicator world) {
        List<Edge> edges = edges();
        words = "general graph of " + edges;
        List<Edge> known = new ArrayList<>();
        for (int giver = 0; giver < worldSize; giver++) {
            int rank = giver;
            known.addAll(edges.stream().filter(e -> e.giver == rank).toList());
        }
        List<Edge> own = edges.stream().filter(e -> e.giver == world.rank()).toList();
        List<Integer> sourcesGiven = new ArrayList<>();
        List<Integer> degrees = new ArrayList<>();
        for (Edge edge : own) {
            int last = sourcesGiven.size() - 1;
            if (last >= 0 && sourcesGiven.get(last) == edge.source) {
                degrees.set(last, degrees.get(last) + 1);
            } else {
                // One without edges is in nobody's way.
                sourcesGiven.add(0);
                degrees.add(0);
                sourcesGiven.add(edge.source);
                degrees.add(1);
            }
        }
        int[] from = sourcesGiven.stream().mapToInt(i -> i).toArray();
        int[] counts = degrees.stream().mapToInt(i -> i).toArray();
        int[] to = own.stream().mapToInt(Edge::destination).toArray();
        boolean isWeighted = random.nextBoolean();
        know(known, known, isWeighted);
        return isWeighted
                ? world.createDistributedGraph(
                        from, counts, to, own.stream().mapToInt(Edge::weight).toArray())
                : world.createDistributedGraph(from, counts, to);
    }
}
