package org.sluice.mpi;

import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.Layer;
import org.sluice.device.memory.Memory;
import org.sluice.mpi.algorithm.Algorithm;
import org.sluice.mpi.algorithm.BinomialBroadcast;
import org.sluice.mpi.algorithm.BinomialReduce;
import org.sluice.mpi.algorithm.Blocks;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.schedule.Schedule;

/**
 * A call of a collective of an intercommunicator (MPI 4.1, section 6.2.3): what each group has goes to the other. The
 * first rank of a group is its leader: what is the same for all of a group, and what was reduced of one, goes from
 * leader to leader, and along a tree in each group. Blocks go from rank to rank.
 *
 * <p>Steps count ranks of both groups, as {@link Sides} has them. The barrier, and agreements on a communicator, are
 * those of all ranks together.
 */
final class InterCall extends Call {
    private static final Algorithm TREE_DOWN = new BinomialBroadcast();
    private static final Algorithm TREE_UP = new BinomialReduce();

    private final Sides sides;
    /** What this rank has no part in, and knows no arguments of, but that it is called; else null. */
    private Collective standsBy;
    /** Where the leader has what its group has reduced; null where that is the caller's buffer. */
    private Object aside;

    InterCall(Layer layer, Sides sides) {
        super(layer, sides.all(), sides.own());
        this.sides = sides;
    }

    @Override
    Call another() {
        return new InterCall(layer, sides);
    }

    @Override
    int rank() {
        return sides.rank();
    }

    @Override
    int size() {
        return sides.local().length;
    }

    @Override
    int callersRank(int caller) {
        return sides.rankOf(caller);
    }

    @Override
    String nameOf(int caller) {
        return "rank " + sides.rankOf(caller) + (sides.isRemote(caller) ? " of the other group" : "");
    }

    private int remoteSize() {
        return sides.remote().length;
    }

    private boolean isLeader() {
        return sides.rank() == 0;
    }

    /** What one group gives may be another type than what the other gives. */
    @Override
    int elements() {
        return 0;
    }

    // --- what the caller gave ----------------------------------------------------------------------------------------

    /** Who gives PROC_NULL doesn't know the root. */
    @Override
    boolean isAlikeEverywhere() {
        return false;
    }

    @Override
    int signature() {
        return standsBy == collective() ? withoutArguments(super.signature()) : super.signature();
    }

    /** @param root among all, which both groups have alike */
    private Schedule write(Collective newCollective, int root) {
        begin(newCollective, root);
        shape.place(sides.rank(), size(), 0);
        aside = null;
        send.none();
        receive.none();
        return rewritten();
    }

    private Schedule writeRooted(Collective newCollective, int root) {
        boolean isKnown = root == Intercommunicator.ROOT || root == MessageSpace.PROC_NULL;
        if (!isKnown && (root < 0 || root >= remoteSize())) {
            throw new IllegalArgumentException(
                    "the root is " + root + ": give ROOT at the root, PROC_NULL at the others"
                            + " of its group, and its rank there, 0 to " + (remoteSize() - 1)
                            + ", at those of the other group");
        }
        Schedule schedule = write(newCollective, isKnown ? sides.own() : sides.remoteAt() + root);
        standsBy = root == MessageSpace.PROC_NULL ? newCollective : null;
        return schedule;
    }

    /** Of all ranks of both groups. */
    @Override
    void agree(Object given, Object into, Reduction operation) {
        aside = null;
        super.agree(given, into, operation);
    }

    private void takeBlocks(Operand operand, Object given, boolean writing, boolean hasBlocks, Blocks into) {
        operand.take(given, writing);
        checkBlocks(operand, hasBlocks);
        if (hasBlocks) {
            operand.prepareBlocks(remoteSize(), into, false, true);
        } else {
            operand.split(remoteSize(), into, writing ? "to receive" : "to send");
            operand.prepare(false, true);
        }
    }

    private void takeResultBlocks(Object into, boolean hasBlocks) {
        takeBlocks(receive, into, true, hasBlocks, shape.receive());
        deliversBlocks = hasBlocks;
        delivers = true;
    }

    // --- what goes from rank to rank ---------------------------------------------------------------------------------

    @Override
    void gather(Object given, Object into, boolean hasBlocks, int root) {
        Schedule schedule = writeRooted(hasBlocks ? Collective.GATHER_BLOCKS : Collective.GATHER, root);
        if (root == Intercommunicator.ROOT) {
            takeResultBlocks(into, hasBlocks);
            receiveBlocks(schedule);
        } else if (root >= 0) {
            takeItems(send, given, false);
            send.prepare(false, true);
            schedule.send(sides.remoteAt() + root, Schedule.SEND, 0, send.bytes());
        }
        schedule.endRound();
        bind();
    }

    private void receiveBlocks(Schedule schedule) {
        for (int peer = 0; peer < remoteSize(); peer++) {
            Blocks blocks = shape.receive();
            schedule.receive(sides.remoteAt() + peer, Schedule.RECEIVE, blocks.at(peer), blocks.bytes(peer));
        }
    }

    private void sendBlocks(Schedule schedule) {
        for (int peer = 0; peer < remoteSize(); peer++) {
            Blocks blocks = shape.send();
            schedule.send(sides.remoteAt() + peer, Schedule.SEND, blocks.at(peer), blocks.bytes(peer));
        }
    }

    @Override
    void scatter(Object given, Object into, boolean hasBlocks, int root) {
        Schedule schedule = writeRooted(hasBlocks ? Collective.SCATTER_BLOCKS : Collective.SCATTER, root);
        if (root == Intercommunicator.ROOT) {
            takeBlocks(send, given, false, hasBlocks, shape.send());
            sendBlocks(schedule);
        } else if (root >= 0) {
            takeItems(receive, into, true);
            receive.prepare(false, true);
            delivers = true;
            schedule.receive(sides.remoteAt() + root, Schedule.RECEIVE, 0, receive.bytes());
        }
        schedule.endRound();
        bind();
    }

    @Override
    void allGather(Object given, Object into, boolean hasBlocks) {
        Schedule schedule = write(hasBlocks ? Collective.ALL_GATHER_BLOCKS : Collective.ALL_GATHER, 0);
        takeResultBlocks(into, hasBlocks);
        takeItems(send, given, false);
        send.prepare(false, true);
        receiveBlocks(schedule);
        for (int peer = 0; peer < remoteSize(); peer++) {
            schedule.send(sides.remoteAt() + peer, Schedule.SEND, 0, send.bytes());
        }
        schedule.endRound();
        bind();
    }

    @Override
    void allToAll(Object given, Object into, boolean hasBlocks) {
        Schedule schedule = write(hasBlocks ? Collective.ALL_TO_ALL_BLOCKS : Collective.ALL_TO_ALL, 0);
        takeResultBlocks(into, hasBlocks);
        takeBlocks(send, given, false, hasBlocks, shape.send());
        receiveBlocks(schedule);
        sendBlocks(schedule);
        schedule.endRound();
        bind();
    }

    // --- what goes from leader to leader -----------------------------------------------------------------------------

    /** What an algorithm does in the own group. */
    private void inGroup(Algorithm algorithm, Schedule schedule) {
        int first = schedule.steps();
        algorithm.write(shape, schedule);
        schedule.shift(first, sides.localAt());
    }

    @Override
    void broadcast(Object buffer, int root) {
        Schedule schedule = writeRooted(Collective.BROADCAST, root);
        if (root != MessageSpace.PROC_NULL) {
            takeItems(receive, buffer, true);
            receive.prepare(false, true);
            shape.receive().uniform(receive.bytes());
        }
        if (root == Intercommunicator.ROOT) {
            schedule.send(sides.remoteAt(), Schedule.RECEIVE, 0, receive.bytes());
        } else if (root >= 0) {
            delivers = true;
            if (isLeader()) {
                schedule.receive(sides.remoteAt() + root, Schedule.RECEIVE, 0, receive.bytes());
                schedule.endRound();
            }
            inGroup(TREE_DOWN, schedule);
        }
        schedule.endRound();
        bind();
    }

    /** The contribution, in an array that can be computed with. */
    private void takeOperands(Object given, Reduction operation) {
        takeItems(send, given, false);
        reduces(send.layout());
        operation.check(items);
        operation.checkCount(items, send.count());
        send.prepare(true, true);
        shape.contribution(false, operation.isCommutative(), operation.unit(items));
        shape.send().uniform(send.bytes());
    }

    /** Has the leader keep what its group has reduced, and what follows, in an array of its own. */
    private void setAside(long bytes) {
        if (isLeader()) {
            aside = items.computed()
                    .array((int) Math.max(1, bytes / items.computed().bytes()));
        }
    }

    @Override
    void reduce(Object given, Object into, Reduction operation, int root) {
        Schedule schedule = writeRooted(Collective.REDUCE, root);
        if (root != MessageSpace.PROC_NULL) {
            takeReduction(operation);
        }
        if (root == Intercommunicator.ROOT) {
            takeItems(receive, into, true);
            reduces(receive.layout());
            operation.check(items);
            operation.checkCount(items, receive.count());
            receive.prepare(true, true);
            delivers = true;
            schedule.receive(sides.remoteAt(), Schedule.RECEIVE, 0, receive.bytes());
        } else if (root >= 0) {
            takeOperands(given, operation);
            setAside(send.bytes());
            inGroup(TREE_UP, schedule);
            if (isLeader()) {
                schedule.send(sides.remoteAt() + root, Schedule.RECEIVE, 0, send.bytes());
            }
        }
        schedule.endRound();
        bindAside();
    }

    private void bindAside() {
        bind();
        if (aside != null) {
            execution().buffer(Schedule.RECEIVE, aside, 0);
        }
    }

    @Override
    void allReduce(Object given, Object into, Reduction operation) {
        Schedule schedule = write(Collective.ALL_REDUCE, 0);
        takeReduction(operation);
        takeItems(receive, into, true);
        takeOperands(given, operation);
        operation.check(receive.layout());
        checkSame(send, receive);
        receive.prepare(true, true);
        delivers = true;
        long bytes = send.bytes();
        shape.receive().uniform(bytes);
        inGroup(TREE_UP, schedule);
        exchange(schedule, bytes);
        if (isLeader()) {
            schedule.copy(Schedule.TEMP, 0, Schedule.RECEIVE, 0, bytes);
            schedule.endRound();
        }
        inGroup(TREE_DOWN, schedule);
        bind();
    }

    /** Between the leaders: what the other group has reduced is in the temporary buffer then. */
    private void exchange(Schedule schedule, long bytes) {
        if (isLeader()) {
            schedule.reserve(Schedule.TEMP, Math.max(1, bytes));
            schedule.receive(sides.remoteAt(), Schedule.TEMP, 0, bytes);
            schedule.send(sides.remoteAt(), Schedule.RECEIVE, 0, bytes);
            schedule.endRound();
        }
    }

    @Override
    void reduceScatter(Object given, Object into, int[] counts, Reduction operation) {
        Schedule schedule = write(counts == null ? Collective.REDUCE_SCATTER_BLOCK : Collective.REDUCE_SCATTER, 0);
        takeReduction(operation);
        takeItems(receive, into, true);
        takeOperands(given, operation);
        Blocks blocks = shape.receive();
        if (counts == null) {
            send.split(size(), blocks, "to reduce");
        } else {
            layOut(counts, size(), send, blocks);
        }
        long own = blocks.bytes(sides.rank());
        operation.checkCount(items, own / Math.max(1, items.size()));
        if (receive.bytes() < own) {
            throw new IllegalArgumentException(
                    "this rank's result has " + own + " bytes, and its buffer takes " + receive.bytes());
        }
        receive.prepare(true, true);
        delivers = true;
        long bytes = blocks.at(size() - 1) + blocks.bytes(size() - 1);
        shape.send().uniform(bytes);
        setAside(bytes);
        inGroup(TREE_UP, schedule);
        exchange(schedule, bytes);
        if (isLeader()) {
            for (int peer = 1; peer < size(); peer++) {
                schedule.send(sides.localAt() + peer, Schedule.TEMP, blocks.at(peer), blocks.bytes(peer));
            }
            schedule.copy(Schedule.TEMP, blocks.at(0), Schedule.RECEIVE, 0, own);
        } else {
            schedule.receive(sides.localAt(), Schedule.RECEIVE, 0, own);
        }
        schedule.endRound();
        bindAside();
    }

    @Override
    void scan(Object given, Object into, Reduction operation, boolean exclusive) {
        throw new IllegalStateException(
                "an intercommunicator has no scan, as its ranks have no order: merge() makes a communicator of it");
    }

    /** The leader's own block lies first in its array. */
    @Override
    void deliver() {
        if (aside != null && delivers) {
            Memory.copy(
                    UserBuffer.base(aside),
                    UserBuffer.address(aside, 0, false),
                    UserBuffer.base(receive.used()),
                    UserBuffer.address(receive.used(), 0, true) + receive.usedBegin(),
                    shape.receive().bytes(0));
        }
        super.deliver();
    }
}
