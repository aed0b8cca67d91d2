package org.sluice.hybrid.launch;

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

    /** Waits for the end of the calling thread's group but itself, as a JVM does: for threads that are no daemons, whoever interrupts. */
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
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[2 * group.activeCount() + 8];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i] != Thread.currentThread() && !threads[i].isDaemon() && threads[i].isAlive()) {
                return threads[i];
            }
        }
        return null;
    }
}
