package org.sluice.mpi;

import java.util.Arrays;
import java.util.Set;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.mpi.algorithm.Choice;
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
    /** The channels between nodes: whoever answers over another is near. */
    private static final Set<String> BETWEEN_NODES = Set.of("ib", "tcp");
    /** Of each rank: the lowest rank of its node, and of its JVM. */
    private static final int LEVELS = 2;
    /** Of each rank: those, and whether it has no core for what goes on beside it. */
    private static final int NUMBERS = LEVELS + 1;

    private final CollectiveSpace whole;
    /** By rank of the whole, the rank that leads its group. */
    private final int[] leaderOf;

    private final Communicator near;
    /** Null where this rank leads none. */
    private final Communicator leaders;
    /** By rank of the whole, the rank among leaders of the one that leads it. */
    private final int[] groupOf;

    /** What is between leaders while this rank is busy with those that are near; null where it leads none. */
    private final Ahead ahead;

    private final Cut cut;

    private Tiers(
            CollectiveSpace whole,
            int[] leaderOf,
            Communicator near,
            Communicator leaders,
            int[] groupOf,
            long segmentBytes) {
        this.whole = whole;
        this.leaderOf = leaderOf;
        this.near = near;
        this.leaders = leaders;
        this.groupOf = groupOf;
        this.ahead = leaders == null ? null : new Ahead(leaders);
        this.cut = new Cut(segmentBytes);
    }

    /**
     * All ranks make them in the same call.
     *
     * @return null where the ranks are all as near, or each is on its own
     */
    static Tiers make(Communicator whole) {
        int[] own = {lowest(whole, false), lowest(whole, true), whole.layer.spins() ? 0 : 1};
        int[] all = new int[NUMBERS * whole.size()];
        whole.exchangeAll(own, all);
        boolean areCrowded = false;
        for (int i = 0; i < whole.size(); i++) {
            areCrowded |= all[NUMBERS * i + LEVELS] != 0;
        }
        for (int level = 0; level < LEVELS; level++) {
            int[] leaderOf = new int[whole.size()];
            for (int i = 0; i < leaderOf.length; i++) {
                leaderOf[i] = all[NUMBERS * i + level];
            }
            int[] leaders = Arrays.stream(leaderOf).distinct().sorted().toArray();
            if (leaders.length > 1 && leaders.length < leaderOf.length) {
                return make(whole, leaderOf, leaders, Choice.segmentBytes(leaders.length, level == 0 && !areCrowded));
            }
        }
        return null;
    }

    /** Of the members that are as near to this rank, and itself. */
    static int lowest(Communicator whole, boolean sameJvm) {
        for (int member = 0; member < whole.rank(); member++) {
            String channel = whole.device().channelTo(whole.inDevice(member));
            if (sameJvm ? channel.equals(THREADS) : !BETWEEN_NODES.contains(channel)) {
                return member;
            }
        }
        return whole.rank();
    }

    private static Tiers make(Communicator whole, int[] leaderOf, int[] leaders, long segmentBytes) {
        int rank = whole.rank();
        Communicator near = whole.splitByMessages(leaderOf[rank], ".near");
        Communicator between = whole.splitByMessages(leaderOf[rank] == rank ? 0 : -1, ".leaders");
        int[] groupOf = new int[leaderOf.length];
        for (int i = 0; i < groupOf.length; i++) {
            groupOf[i] = Arrays.binarySearch(leaders, leaderOf[i]);
        }
        return new Tiers(whole, leaderOf, near, between, groupOf, segmentBytes);
    }

    /** Whether a call goes by tiers: the same at all its ranks. */
    static boolean takes(Collective collective, boolean isCommutative) {
        return collective == Collective.BARRIER
                || collective == Collective.BROADCAST
                || collective == Collective.ALL_REDUCE && isCommutative;
    }

    /** Carries out a call of the whole, whose operands are prepared. */
    void run(Call call, Reduction reduction, int root) {
        switch (call.collective()) {
            case BARRIER:
                barrier();
                break;
            case BROADCAST:
                broadcast(call.receive, root);
                break;
            default:
                allReduce(call, reduction);
                break;
        }
    }

    private void barrier() {
        near.barrier();
        if (leaders != null) {
            leaders.barrier();
        }
        near.barrier();
    }

    // --- broadcast ---------------------------------------------------------------------------------------------------

    private void broadcast(Operand buffer, int root) {
        // Whole elements of any type.
        cut.take(buffer.bytes(), Long.BYTES);
        boolean isOfRoot = leaderOf[whole.rank()] == leaderOf[root];
        if (leaders == null) {
            for (int i = 0; i < cut.count; i++) {
                near.broadcast(cut.bytes(buffer, i), isOfRoot ? nearRank(root) : 0);
            }
        } else if (cut.count == 1) {
            broadcastAtOnce(buffer, root, isOfRoot);
        } else if (isOfRoot) {
            broadcastToAfar(buffer, root);
        } else {
            broadcastFromAfar(buffer, root);
        }
    }

    private void broadcastAtOnce(Operand buffer, int root, boolean isOfRoot) {
        if (isOfRoot) {
            near.broadcast(cut.bytes(buffer, 0), nearRank(root));
        }
        leaders.broadcast(cut.bytes(buffer, 0), groupOf[root]);
        if (!isOfRoot) {
            near.broadcast(cut.bytes(buffer, 0), 0);
        }
    }

    /** The leader of the root's group: a segment is on its way while the next goes round here. */
    private void broadcastToAfar(Operand buffer, int root) {
        boolean isRoot = whole.rank() == root;
        for (int i = 0; i < cut.count; i++) {
            if (!isRoot) {
                near.broadcast(cut.bytes(buffer, i), nearRank(root));
            }
            ahead.finish();
            ahead.broadcast(cut.bytes(buffer, i), groupOf[root]);
            if (isRoot) {
                near.broadcast(cut.bytes(buffer, i), 0);
            }
        }
        ahead.finish();
    }

    /** The leader of another group: a segment goes round here while the next is on its way. */
    private void broadcastFromAfar(Operand buffer, int root) {
        ahead.broadcast(cut.bytes(buffer, 0), groupOf[root]);
        for (int i = 0; i < cut.count; i++) {
            ahead.finish();
            if (i + 1 < cut.count) {
                ahead.broadcast(cut.bytes(buffer, i + 1), groupOf[root]);
            }
            near.broadcast(cut.bytes(buffer, i), 0);
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

    // --- allReduce ---------------------------------------------------------------------------------------------------

    private void allReduce(Call call, Reduction reduction) {
        Operand own = call.shape.isInPlace() ? call.receive : call.send;
        Operand result = call.receive;
        cut.take(own.bytes(), call.shape.unit());
        if (cut.count == 1) {
            reduceNear(call, own, reduction, 0);
            if (leaders != null) {
                leaders.allReduce(Data.IN_PLACE, cut.items(result, call.items, 0), reduction);
            }
            near.broadcast(cut.bytes(result, 0), 0);
            return;
        }
        // While a segment is between leaders, the one before goes round, and the next is folded.
        for (int i = 0; i <= cut.count; i++) {
            if (i < cut.count) {
                reduceNear(call, own, reduction, i);
            }
            if (leaders != null) {
                ahead.finish();
                if (i < cut.count) {
                    ahead.allReduceInPlace(cut.items(result, call.items, i), reduction);
                }
            }
            if (i > 0) {
                near.broadcast(cut.bytes(result, i - 1), 0);
            }
        }
    }

    /** To the leader, whose part of the result it is. */
    private void reduceNear(Call call, Operand own, Reduction reduction, int segment) {
        boolean isInPlace = leaders != null && call.shape.isInPlace();
        near.reduce(
                isInPlace ? Data.IN_PLACE : cut.items(own, call.items, segment),
                leaders == null ? null : cut.resultItems(call.receive, call.items, segment),
                reduction,
                0);
    }

    /** How what is long is cut: the same at all ranks. */
    private static final class Cut {
        private final long most;
        private final Segment given = new Segment();
        private final Segment result = new Segment();
        private long bytes;
        private long unit;
        private int count;

        Cut(long most) {
            this.most = most;
        }

        /** @param newUnit bytes that are never cut */
        void take(long newBytes, long newUnit) {
            bytes = newBytes;
            unit = Math.max(1, newUnit);
            count = (int) Math.max(1, Math.min((bytes + most - 1) / most, bytes / unit));
        }

        private long at(int segment) {
            return segment == count ? bytes : bytes / unit * segment / count * unit;
        }

        private Segment cut(Segment into, Operand of, Layout layout, int segment) {
            return into.of(of, layout, at(segment), at(segment + 1) - at(segment));
        }

        Segment bytes(Operand of, int segment) {
            return cut(given, of, Layout.BYTE, segment);
        }

        Segment items(Operand of, Layout layout, int segment) {
            return cut(given, of, layout, segment);
        }

        /** Beside what {@link #items} gives. */
        Segment resultItems(Operand of, Layout layout, int segment) {
            return cut(result, of, layout, segment);
        }
    }

    // --- when it is over ---------------------------------------------------------------------------------------------

    /** A call has failed, and its collectives are over: returns when none of its buffers is in flight. */
    void settle() {
        if (ahead != null) {
            ahead.settle();
        }
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
