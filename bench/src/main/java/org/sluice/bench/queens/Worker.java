package org.sluice.bench.queens;

import java.util.SplittableRandom;

/**
 * Does the tasks of one rank: places a queen in the next row, in each way a task for a rank that chance picks; from the
 * threshold on all rows that are left, here. Counts what that takes.
 *
 * <p><i>Thread</i>: the rank's.
 */
final class Worker {
    /** Tasks for other ranks. */
    interface Sender {
        /** @param task as it is until this returns */
        void send(int rank, Task task);
    }

    private final int queens;
    private final int threshold;
    private final int rank;
    private final int ranks;
    private final TaskStack own;
    private final Sender sender;
    private final SplittableRandom random;
    private final Task child = new Task();
    private long credit;
    private long solutions;
    private long tasks;
    private long sent;
    private long usefulNs;

    Worker(QueensProblem problem, int rank, int ranks, TaskStack own, Sender sender) {
        queens = problem.queens();
        threshold = problem.threshold();
        this.rank = rank;
        this.ranks = ranks;
        this.own = own;
        this.sender = sender;
        random = new SplittableRandom(rank);
    }

    void run(Task task) {
        long begin = System.nanoTime();
        int all = Board.all(queens);
        tasks++;
        if (task.row() >= threshold) {
            solutions += Board.solutions(all, task.columns(), task.left(), task.right());
            credit += task.credit();
            usefulNs += System.nanoTime() - begin;
            return;
        }
        int free = all & ~(task.columns() | task.left() | task.right());
        long share = free == 0 ? 0 : task.credit() / Integer.bitCount(free);
        credit += task.credit() - share * Integer.bitCount(free);
        long sendingNs = 0;
        for (; free != 0; free &= free - 1) {
            child.follow(task, free & -free, share);
            long before = System.nanoTime();
            pass(random.nextInt(ranks));
            sendingNs += System.nanoTime() - before;
        }
        usefulNs += System.nanoTime() - begin - sendingNs;
    }

    private void pass(int to) {
        if (to == rank) {
            own.push(child);
        } else {
            sent++;
            sender.send(to, child);
        }
    }

    /** Of tasks that are done; it is the caller's now. */
    long takeCredit() {
        long taken = credit;
        credit = 0;
        return taken;
    }

    /** @param idleNs that the rank waited @param wholeNs from begin to end */
    RankShare share(long idleNs, long wholeNs) {
        return new RankShare(solutions, tasks, sent, usefulNs, idleNs, Math.max(0, wholeNs - usefulNs - idleNs));
    }
}
