package org.sluice.mpi;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.MismatchException;
import org.sluice.mpi.schedule.Ranks;

/**
 * Ranks of a job with a message space of their own (MPI 4.1, chapter 7): their messages are in {@link MessageSpace},
 * what all of them call together in {@link CollectiveSpace}, and what makes other communicators of this one is here.
 *
 * <p><i>Thread</i>: any; what all ranks call, one thread after the other.
 */
public class Communicator extends AgreedSpace {
    /** Of messages that agree on a new communicator's number among some of the members. */
    private static final int CREATION = 1 + SLOTS;
    /** Of messages between the leaders of two groups that make an intercommunicator. */
    static final int LEADERS = Spaces.AGREEMENT + 1;
    /** Of the message space of each rank alone, which needs few: what is made of no communicator. */
    private static final int FROM_GROUP = Spaces.SELF * Spaces.CONTEXTS + LEADERS + 1;
    /** Of agreements on what is made of no communicator. */
    private static final long OF_NONE = 1L << 61;

    /** What {@link #compare} finds. */
    public enum Comparison {
        /** The same communicator. */
        IDENTICAL,
        /** The same ranks in the same order. */
        CONGRUENT,
        /** The same ranks in another order. */
        SIMILAR,
        UNEQUAL
    }

    private final AtomicInteger agreements = new AtomicInteger();

    Communicator(Layer layer, Spaces spaces, int[] members, int number, String name) {
        super(spaces, members, number, name);
    }

    /** All ranks of the device's job; always the same object. */
    public static Communicator world(Device device) {
        return Spaces.of(Layer.of(device)).world();
    }

    /** As {@link #world(Device)}; messages about this rank's calls, on any of its communicators, have these names. */
    public static Communicator world(Device device, Naming naming) {
        Spaces spaces = Spaces.of(Layer.of(device));
        spaces.name(naming);
        return spaces.world();
    }

    /** This rank alone; always the same object. */
    public static Communicator self(Device device) {
        return Spaces.of(Layer.of(device)).self();
    }

    /**
     * That of a group, called by its ranks alone; no other communicator has a part in it.
     *
     * @param tag any text, the same at all of them; tells apart what threads of the same ranks create at once
     */
    public static Communicator createFromGroup(Device device, Group group, String tag) {
        Layer layer = Layer.of(device);
        int[] chosen = group.members();
        for (int member : chosen) {
            if (member >= device.size()) {
                throw new IllegalArgumentException(
                        "rank " + member + " is in the group, and the job has ranks 0 to " + (device.size() - 1));
            }
        }
        if (tag == null) {
            throw new IllegalArgumentException("the tag is null: give a text, the same at all ranks of the group");
        }
        // Spread: texts that differ little have numbers that differ.
        long mixed = 0xCBF29CE484222325L;
        for (int i = 0; i < tag.length(); i++) {
            mixed = (mixed ^ tag.charAt(i)) * 0x100000001B3L;
        }
        int number = (int) (mixed >>> 33);
        Spaces spaces = Spaces.of(layer);
        int created = agreeAmong(spaces, chosen, OF_NONE | number, FROM_GROUP, number);
        return new Communicator(layer, spaces, chosen, created, tag);
    }

    /** Objects by Java's serialization: those of the caller's own jar, folder or module, and the JDK's values. */
    public ObjectSpace<Object> objects() {
        Class<?> program = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        return ObjectSpace.of(this, program);
    }

    /** Objects by a codec of the program's. */
    public <T> ObjectSpace<T> objects(Codec<T> codec) {
        return new ObjectSpace<>(this, codec);
    }

    /** The ranks of the communicator, in their order. */
    public Group group() {
        return Group.ofDevice(members());
    }

    /** How this communicator and another are alike, on this rank. */
    public final Comparison compare(Communicator other) {
        if (this == other) {
            return Comparison.IDENTICAL;
        }
        switch (group().compare(other.group())) {
            case IDENTICAL:
                return Comparison.CONGRUENT;
            case SIMILAR:
                return Comparison.SIMILAR;
            default:
                return Comparison.UNEQUAL;
        }
    }

    // --- other communicators -----------------------------------------------------------------------------------------

    /** The same ranks, with a message space of their own, and copies of the attributes. All ranks call it. */
    public Communicator duplicate() {
        return duplicateAs(created -> sameAs(created, name + ".duplicate"));
    }

    /** As {@link #duplicate}, without waiting for the others (MPI_Comm_idup). */
    public DuplicateRequest<Communicator> iduplicate() {
        return startDuplicate(created -> sameAs(created, name + ".duplicate"));
    }

    /** A communicator of the same ranks and of the same kind. */
    Communicator sameAs(int created, String itsName) {
        return new Communicator(layer, spaces, members(), created, itsName);
    }

    final int[] members() {
        int[] members = new int[size()];
        for (int i = 0; i < members.length; i++) {
            members[i] = ranks.inDevice(i);
        }
        return members;
    }

    @Override
    Tiers makeTiers() {
        return Tiers.make(this);
    }

    /**
     * Those ranks that give the same colour, ordered by their keys, and by their ranks where those are equal. All ranks
     * call it.
     *
     * @param colour 0 or more, or negative for a rank that is in none
     * @return null for such a rank
     */
    public Communicator split(int colour, int key) {
        return made(() -> {
            int[] all = new int[2 * size()];
            exchangeAll(new int[] {colour, key}, all);
            return splitBy(all, colour, ".split");
        });
    }

    /** As {@link #split}, within another call of all ranks. */
    final Communicator splitByMessages(int colour, String suffix) {
        int[] all = new int[2 * size()];
        exchangeAll(new int[] {colour, 0}, all);
        return splitBy(all, colour, suffix);
    }

    /** @param all colour and key of each rank */
    private Communicator splitBy(int[] all, int colour, String suffix) {
        int created = newNumber();
        if (colour < 0) {
            spaces.giveBack(created);
            return null;
        }
        int[] chosen = chosen(all, colour);
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = ranks.inDevice(chosen[i]);
        }
        return new Communicator(layer, spaces, chosen, created, name + suffix);
    }

    /** Ranks of one colour, in the order of their keys. */
    static int[] chosen(int[] all, int colour) {
        long[] order = new long[all.length / 2];
        int count = 0;
        for (int i = 0; i < order.length; i++) {
            if (all[2 * i] == colour) {
                order[count++] = ((long) all[2 * i + 1] << 32) + i;
            }
        }
        Arrays.sort(order, 0, count);
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            chosen[i] = (int) order[i];
        }
        return chosen;
    }

    /**
     * Those ranks that are in the same place, ordered as in {@link #split}. All ranks call it.
     *
     * @param place the same at all ranks, or null for a rank that is in none
     * @return null for such a rank
     */
    public Communicator splitByPlace(Place place, int key) {
        return made(() -> {
            int[] all = new int[3 * size()];
            exchangeAll(
                    new int[] {place == null ? -1 : lowestIn(place), key, place == null ? -1 : place.ordinal()}, all);
            int[] told = new int[2 * size()];
            int first = -1;
            for (int i = 0; i < size(); i++) {
                int other = all[3 * i + 2];
                if (other >= 0 && first >= 0 && other != all[3 * first + 2]) {
                    throw new IllegalArgumentException(
                            "rank " + first + " splits by " + Place.values()[all[3 * first + 2]] + ", and rank " + i
                                    + " by " + Place.values()[other] + ": give all ranks the same");
                }
                first = other >= 0 && first < 0 ? i : first;
                told[2 * i] = all[3 * i];
                told[2 * i + 1] = all[3 * i + 1];
            }
            join(told);
            return splitBy(told, told[2 * rank], ".split");
        });
    }

    /** The first rank that this one finds in its own place. */
    private int lowestIn(Place place) {
        int lowest = 0;
        while (lowest < rank && !isWith(lowest, place)) {
            lowest++;
        }
        return lowest;
    }

    private boolean isWith(int other, Place place) {
        int inDevice = ranks.inDevice(other);
        return place == Place.JVM ? layer.sharesJvm(inDevice) : layer.sharesNode(inDevice);
    }

    /**
     * Makes places of what each rank has seen by itself, the same at all ranks: who is with one that is with a third is
     * with that, too. A rank that is in none is no link.
     */
    private static void join(int[] told) {
        for (int i = 0; i < told.length; i += 2) {
            int seen = told[i];
            // A rank sees none above itself, and those below have their colours by now.
            if (seen >= 0 && seen < i / 2 && told[2 * seen] >= 0) {
                told[i] = told[2 * seen];
            }
        }
    }

    /**
     * The ranks of a group, all of which are in this communicator. All ranks of this one call it, with the same group.
     *
     * @return null for a rank that isn't in the group
     */
    public Communicator create(Group group) {
        int[] chosen = checkedMembers(group);
        return made(() -> {
            int created = newNumber(alike(chosen), true);
            if (group.rankOf(layer.device().rank()) < 0) {
                spaces.giveBack(created);
                return null;
            }
            return new Communicator(layer, spaces, chosen, created, name + ".create");
        });
    }

    /**
     * One of another kind. All ranks call it.
     *
     * @param chosen as the device numbers them; those that make one together give the same
     * @return null for a rank that isn't among them
     */
    final <C extends Communicator> C make(int[] chosen, IntFunction<C> made) {
        return made(() -> {
            int created = newNumber();
            int own = layer.device().rank();
            if (Arrays.stream(chosen).noneMatch(member -> member == own)) {
                spaces.giveBack(created);
                return null;
            }
            return made.apply(created);
        });
    }

    /** All ranks call it, and all throw where they have given something else. */
    final void checkAlike(long alike, String what) {
        long[] least = {alike, ~alike};
        agreeOnLeast(least);
        if (least[0] != alike || least[1] != ~alike) {
            throw new IllegalArgumentException(
                    "the ranks of " + this + " gave different " + what + ": no communicator was made");
        }
    }

    private int[] checkedMembers(Group group) {
        int[] chosen = group.members();
        for (int member : chosen) {
            if (ranks.here(member) < 0) {
                throw new IllegalArgumentException("rank " + member + " of the job is in the group and not in " + this);
            }
        }
        return chosen;
    }

    /**
     * As {@link #create}, called by the ranks of the group alone.
     *
     * @param tag tells apart what threads of the same ranks create at once
     */
    public Communicator createGroup(Group group, int tag) {
        refuseFreed();
        int[] chosen = checkedMembers(group);
        checkTag(tag);
        return made(() -> {
            int created = agreeAmong(spaces, chosen, (long) number << Integer.SIZE | tag, context + CREATION, tag);
            return new Communicator(layer, spaces, chosen, created, name + ".create");
        });
    }

    private static void checkTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + ": 0 or more");
        }
    }

    /** What all that make it have to have given alike. */
    private static long alike(int[] members) {
        long alike = members.length;
        for (int member : members) {
            alike = 31 * alike + member + 1;
        }
        return alike;
    }

    private static int agreeAmong(Spaces spaces, int[] chosen, long agreement, int context, int tag) {
        Layer layer = spaces.layer();
        Ranks members = new Ranks(chosen, layer.device().size());
        int own = members.here(layer.device().rank());
        if (own < 0) {
            throw new IllegalArgumentException(
                    "this rank isn't in the group " + Group.ofDevice(chosen) + ": only its members call this");
        }
        Call call = new Call(layer, members, own);
        return spaces.agree(agreement, alike(chosen), true, (offered, agreed) -> {
            call.agree(offered, agreed, Reduction.BITWISE_AND);
            call.schedule();
            call.execution().envelopeOfTag(context, tag);
            try {
                call.execution().run();
            } catch (MismatchException e) {
                throw new MismatchedCallException(
                        e.peer(),
                        "rank " + own + " of the group " + Group.ofDevice(chosen) + " makes a communicator of it, and"
                                + " rank " + e.peer() + " makes something else with the same tag " + tag
                                + ": all ranks of the group give the same group and tag");
            }
            call.deliver();
        });
    }

    /**
     * A communicator of this group with another, whose ranks call it, too. The two groups have no rank in common; their
     * leaders have a communicator in common.
     *
     * @param localLeader a rank of this communicator, the same at all of them
     * @param peer that both leaders are in; looked at on the leader alone, as what follows
     * @param remoteLeader the other group's leader, as a rank of that
     * @param tag tells apart what is made of that at once
     */
    public final Intercommunicator createIntercommunicator(
            int localLeader, Communicator peer, int remoteLeader, int tag) {
        return made(() -> new Meeting(this, localLeader).with(peer, remoteLeader, tag));
    }

    // --- communicators with neighbours -------------------------------------------------------------------------------

    /**
     * One whose ranks are the places of a grid. All ranks call it, with the same arguments.
     *
     * @param dims the size of each dimension, 1 or more; {@link CartesianCommunicator#balancedDims} chooses them
     * @param periodic whether each dimension's last place is followed by its first
     * @param reorder whether ranks may be others than here: those of one JVM and of one node are beside each other then
     * @return null for the last ranks, where the grid has fewer places
     */
    public final CartesianCommunicator createCartesian(int[] dims, boolean[] periodic, boolean reorder) {
        return CartesianCommunicator.make(this, new Grid(dims, periodic), reorder);
    }

    /**
     * One whose ranks are the nodes of a graph, and stay in their order. All ranks call it, with the same arguments.
     *
     * @param index for each node how many edges the nodes up to it have together
     * @param edges where edges lead to, those of node 0 first
     * @return null for the last ranks, where the graph has fewer nodes
     */
    public final GraphCommunicator createGraph(int[] index, int[] edges) {
        return GraphCommunicator.make(this, index, edges);
    }

    /**
     * The rank that {@link #createCartesian} would give this one if it may reorder (MPI_Cart_map). All ranks call it,
     * with the same arguments.
     *
     * @return {@link Group#NO_RANK} for one that would get no place
     */
    public final int cartesianRank(int[] dims, boolean[] periodic) {
        return CartesianCommunicator.map(this, new Grid(dims, periodic));
    }

    /**
     * The rank that {@link #createGraph} would give this one (MPI_Graph_map). Waits for nobody.
     *
     * @return {@link Group#NO_RANK} for one that would be no node
     */
    public final int graphRank(int[] index, int[] edges) {
        return GraphCommunicator.map(this, index, edges);
    }

    /**
     * One with a directed graph, of which each rank gives the edges that lead to it and away from it. Each edge is
     * given at both of its ends. Ranks stay as they are. All ranks call it, and all throw where one has given anything
     * wrong.
     *
     * @param sourceWeights 0 or more; null at all ranks, as the others, for a graph without weights
     */
    public final DistributedGraphCommunicator createDistributedGraphAdjacent(
            int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
        refuseFreed();
        return DistributedGraphCommunicator.make(
                this, DistributedEdges.adjacent(this, sources, sourceWeights, destinations, destinationWeights));
    }

    /** As {@link #createDistributedGraphAdjacent(int[], int[], int[], int[])}, without weights. */
    public final DistributedGraphCommunicator createDistributedGraphAdjacent(int[] sources, int[] destinations) {
        return createDistributedGraphAdjacent(sources, null, destinations, null);
    }

    /**
     * One with a directed graph, of which each rank gives any edges. Each edge is given once. Ranks stay as they are.
     * All ranks call it, and all throw where one has given anything wrong.
     *
     * @param sources where edges come from; a rank may be there several times
     * @param degrees for each source how many of the destinations are its
     * @param destinations those of the first source first
     * @param weights for each destination, 0 or more; null at all ranks for a graph without weights
     */
    public final DistributedGraphCommunicator createDistributedGraph(
            int[] sources, int[] degrees, int[] destinations, int[] weights) {
        refuseFreed();
        return DistributedGraphCommunicator.make(
                this, DistributedEdges.general(this, sources, degrees, destinations, weights));
    }

    /** As {@link #createDistributedGraph(int[], int[], int[], int[])}, without weights. */
    public final DistributedGraphCommunicator createDistributedGraph(int[] sources, int[] degrees, int[] destinations) {
        return createDistributedGraph(sources, degrees, destinations, null);
    }

    // --- after a failure ---------------------------------------------------------------------------------------------

    /** The ranks that this one knows to have died, as a group. */
    public Group failedRanks() {
        return Group.ofDevice(IntStream.range(0, size())
                .map(this::inDevice)
                .filter(peer -> peer != layer.device().rank() && hasDied(peer))
                .toArray());
    }

    private boolean hasDied(int peer) {
        SluiceException lost = layer.lost(peer);
        return lost != null && Agreement.isOfPeer(lost.code());
    }

    /**
     * The bitwise and of what all ranks give that live, the same at all of them, also where ranks die meanwhile, where
     * collectives are over, and where the communicator is revoked. All ranks that live call it.
     */
    public long agree(long flags) {
        refuseFreed();
        return new Agreement(layer, ranks, rank(), context + Spaces.AGREEMENT, nextAgreement(), new long[] {flags})
                .run()[0];
    }

    private int nextAgreement() {
        return agreements.getAndIncrement() & Integer.MAX_VALUE;
    }

    /**
     * A communicator of the ranks that live, in their order. All of those call it, also where collectives are over, and
     * where this one is revoked. Receives from any source no longer fail because of those that died before.
     */
    public Communicator shrink() {
        refuseFreed();
        int aliveWords = (size() + Long.SIZE - 1) / Long.SIZE;
        long[] alive = new long[aliveWords];
        int created = newNumber(0, true, (offered, agreed) -> {
            long[] words = Arrays.copyOf(offered, offered.length + aliveWords);
            for (int member = 0; member < size(); member++) {
                int peer = inDevice(member);
                if (peer == layer.device().rank() || !hasDied(peer)) {
                    words[offered.length + member / Long.SIZE] |= 1L << member;
                }
            }
            long[] all = new Agreement(layer, ranks, rank(), context + Spaces.AGREEMENT, nextAgreement(), words).run();
            System.arraycopy(all, 0, agreed, 0, agreed.length);
            System.arraycopy(all, agreed.length, alive, 0, aliveWords);
        });
        int[] living = IntStream.range(0, size())
                .filter(member -> (alive[member / Long.SIZE] >> member & 1) != 0)
                .map(this::inDevice)
                .toArray();
        for (int peer : failedRanks().members()) {
            layer.device().acknowledge(peer);
        }
        return new Communicator(layer, spaces, living, created, name + ".shrink");
    }

    @Override
    public String toString() {
        return "Communicator[" + name + ", rank " + rank + " of " + size() + "]";
    }
}
