package org.sluice.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * The threads of one rank among several in a JVM: the one that runs its main method, and those that it starts itself.
 */
final class RankGroup extends ThreadGroup {
    private final int rank;

    RankGroup(int rank) {
        super("rank-" + rank);
        this.rank = rank;
    }

    int rank() {
        return rank;
    }

    /**
     * Waits for the end of the calling thread's group but itself, as a JVM does: for threads that are no daemons,
     * whoever interrupts.
     */
    static void awaitOthers() {
        boolean interrupted = false;
        for (Thread other = other(); other != null; other = other()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread other() {
        List<Thread> others = others(Thread.currentThread().getThreadGroup(), Thread.currentThread());
        return others.isEmpty() ? null : others.get(0);
    }

    /** The threads of a group, and of those below it, that keep a JVM from ending. */
    static List<Thread> others(ThreadGroup group, Thread self) {
        Thread[] threads = new Thread[2 * group.activeCount() + 8];
        int count = group.enumerate(threads);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (threads[i] != self && !threads[i].isDaemon() && threads[i].isAlive()) {
                others.add(threads[i]);
            }
        }
        return others;
    }
}
