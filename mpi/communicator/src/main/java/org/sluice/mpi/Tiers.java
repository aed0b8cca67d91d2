package org.sluice.mpi;

import java.util.Arrays;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.mpi.algorithm.Collective;

/**
 * A communicator's ranks by how near they are: those of one node or, where all are of one, of one JVM; and one leader
 * of each such group. What all ranks need goes among those that are near first, so that only leaders use the slower
 * way. Both are communicators of their own, which may have cells, and tiers again.
 *
 * <p><i>Thread</i>: one of each rank. <i>Owns</i>: both communicators. <i>Fails</i>: as the collectives of both, told
 * with the ranks of the whole communicator.
 */
final class Tiers {
    private static final String THREADS = "threads";
    private static final String VERBS = "ib";
    /** Of each rank: the lowest rank of its node, and of its JVM. */
    private static final int NUMBERS = 2;

    private final CollectiveSpace whole;
    /** By rank of the whole, the rank that leads its group. */
    private final int[] leaderOf;

    private final Communicator near;
    /** Null where this rank leads none. */
    private final Communicator leaders;
    /** By rank of the whole, the rank among leaders of the one that leads it. */
    private final int[] groupOf;

    private Tiers(CollectiveSpace whole, int[] leaderOf, Communicator near, Communicator leaders, int[] groupOf) {
        this.whole = whole;
        this.leaderOf = leaderOf;
        this.near = near;
        this.leaders = leaders;
        this.groupOf = groupOf;
    }

    /**
     * All ranks make them in the same call.
     *
     * @return null where the ranks are all as near, or each is on its own
     */
    static Tiers make(Communicator whole) {
        int[] own = {lowest(whole, false), lowest(whole, true)};
        int[] all = new int[NUMBERS * whole.size()];
        whole.exchangeAll(own, all);
        for (int level = 0; level < NUMBERS; level++) {
            int[] leaderOf = new int[whole.size()];
            for (int i = 0; i < leaderOf.length; i++) {
                leaderOf[i] = all[NUMBERS * i + level];
            }
            int[] leaders = Arrays.stream(leaderOf).distinct().sorted().toArray();
            if (leaders.length > 1 && leaders.length < leaderOf.length) {
                return make(whole, leaderOf, leaders);
            }
        }
        return null;
    }

    /** Of the members that are as near to this rank, and itself. */
    static int lowest(Communicator whole, boolean sameJvm) {
        for (int member = 0; member < whole.rank(); member++) {
            String channel = whole.device().channelTo(whole.inDevice(member));
            if (sameJvm ? channel.equals(THREADS) : !channel.equals(VERBS)) {
                return member;
            }
        }
        return whole.rank();
    }

    private static Tiers make(Communicator whole, int[] leaderOf, int[] leaders) {
        int rank = whole.rank();
        Communicator near = whole.splitByMessages(leaderOf[rank], ".near");
        Communicator between = whole.splitByMessages(leaderOf[rank] == rank ? 0 : -1, ".leaders");
        int[] groupOf = new int[leaderOf.length];
        for (int i = 0; i < groupOf.length; i++) {
            groupOf[i] = Arrays.binarySearch(leaders, leaderOf[i]);
        }
        return new Tiers(whole, leaderOf, near, between, groupOf);
    }

    /** Whether a call goes by tiers: the same at all its ranks. */
    static boolean takes(Collective collective, boolean isCommutative) {
        return collective == Collective.BARRIER
                || collective == Collective.BROADCAST
                || collective == Collective.ALL_REDUCE && isCommutative;
    }

    void barrier() {
        near.barrier();
        if (leaders != null) {
            leaders.barrier();
        }
        near.barrier();
    }

    void broadcast(Object buffer, int root) {
        boolean isOfRoot = leaderOf[whole.rank()] == leaderOf[root];
        if (isOfRoot) {
            near.broadcast(buffer, nearRank(root));
        }
        if (leaders != null) {
            leaders.broadcast(buffer, groupOf[root]);
        }
        if (!isOfRoot) {
            near.broadcast(buffer, 0);
        }
    }

    /** The rank among those of its group, which are in the order of the whole. */
    private int nearRank(int rank) {
        int before = 0;
        for (int i = 0; i < rank; i++) {
            before += leaderOf[i] == leaderOf[rank] ? 1 : 0;
        }
        return before;
    }

    void allReduce(Object contribution, Object result, Reduction reduction) {
        boolean inPlace = contribution == Data.IN_PLACE;
        if (leaders == null) {
            near.reduce(inPlace ? result : contribution, null, reduction, 0);
        } else {
            near.reduce(contribution, result, reduction, 0);
            leaders.allReduce(Data.IN_PLACE, result, reduction);
        }
        near.broadcast(result, 0);
    }

    /** Why one of both is over, with the ranks of the whole; null where neither is. */
    Breakdown breakdown() {
        Breakdown found = near.breakdown() != null ? near.breakdown() : leaders == null ? null : leaders.breakdown();
        if (found == null) {
            return null;
        }
        Communicator of = found == near.breakdown() ? near : leaders;
        return new Breakdown(
                found.kind(),
                whole.here(of.inDevice(found.culprit())),
                whole.here(of.inDevice(found.finder())),
                found.own(),
                found.other(),
                found.detail());
    }

    /** Whoever waits in one of both waits for nothing any more. */
    void breakDown(LayerWatcher.Ending ending) {
        near.breakDown(new Breakdown(Breakdown.Kind.FAILED, near.rank(), near.rank(), 0, 0, null), ending);
        if (leaders != null) {
            leaders.breakDown(new Breakdown(Breakdown.Kind.FAILED, leaders.rank(), leaders.rank(), 0, 0, null), ending);
        }
    }

    /** All ranks do it together. */
    void free() {
        near.free();
        if (leaders != null) {
            leaders.free();
        }
    }
}
