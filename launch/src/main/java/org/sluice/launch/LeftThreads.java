package org.sluice.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;

/**
 * Says once which threads keep a rank from ending, when its main method has returned some seconds ago and no device is
 * open any more: else a job whose program forgot to shut a pool down stands still without a word.
 *
 * <p>Thread: its own, a daemon, which starts when main has returned.
 *
 * <p>Fails: never.
 *
 * <p>Proof: {@code LeftThreadsTest}, {@code LauncherProcessTest}, {@code MainProcessTest},
 * {@code RankThreadsProcessTest}.
 */
final class LeftThreads implements Runnable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_MS = 500;
    private static final int NAMED = 5;

    private final String who;
    private final Supplier<List<Thread>> left;
    private final BooleanSupplier isDeviceOpen;

    /**
     * @param who the rank, as in "rank 3"
     * @param left what keeps it from ending
     */
    LeftThreads(String who, Supplier<List<Thread>> left, BooleanSupplier isDeviceOpen) {
        this.who = who;
        this.left = left;
        this.isDeviceOpen = isDeviceOpen;
    }

    /** Of a process that another launcher than ours has started, or nobody: the calling thread waits for the others. */
    static LeftThreads ofProcess() {
        Thread self = Thread.currentThread();
        ThreadGroup root = topmost();
        return new LeftThreads(
                Uncaught.whose("process " + ProcessHandle.current().pid()),
                () -> ofProgram(root, self),
                () -> !JvmRanks.ofThisJvm().open().isEmpty());
    }

    /** Of a rank that is a process. */
    static LeftThreads ofJvm(int rank) {
        ThreadGroup root = topmost();
        return new LeftThreads(
                "rank " + rank,
                () -> ofProgram(root, null),
                () -> !JvmRanks.ofThisJvm().open().isEmpty());
    }

    private static ThreadGroup topmost() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        return all;
    }

    /** In loops: JDK 25 crashes if a call is linked for a lambda while it writes the archive of a JVM that ends. */
    private static List<Thread> ofProgram(ThreadGroup root, Thread self) {
        List<Thread> found = new ArrayList<>();
        for (Thread thread : RankGroup.others(root, self)) {
            // The JVM's own, which waits for the others.
            if (!thread.getName().equals("DestroyJavaVM")) {
                found.add(thread);
            }
        }
        return found;
    }

    /** Of a rank that is a thread, the calling one. */
    static LeftThreads ofThread(int rank, String address) {
        Thread self = Thread.currentThread();
        ThreadGroup group = self.getThreadGroup();
        return new LeftThreads("rank " + rank, () -> RankGroup.others(group, self), () -> {
            LocalEnd device = JvmRanks.ofThisJvm().find(Job.devicesOf(address), rank);
            return device != null && !device.isClosed();
        });
    }

    /** Main has returned. */
    void watch() {
        try {
            Thread thread = new Thread(null, this, "sluice-left-threads", 0, false);
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            // The rank ends, or not, all the same.
            return;
        }
    }

    @Override
    public void run() {
        try {
            long since = System.nanoTime();
            while (System.nanoTime() - since < PATIENCE_NANOS) {
                Thread.sleep(LOOK_MS);
                if (left.get().isEmpty()) {
                    return;
                }
                since = isDeviceOpen.getAsBoolean() ? System.nanoTime() : since;
            }
            List<Thread> threads = left.get();
            // Who never had a device has other work to do.
            if (!threads.isEmpty() && JvmRanks.ofThisJvm().wasUsed()) {
                System.err.print(text(who, threads) + System.lineSeparator());
            }
        } catch (InterruptedException e) {
            // Nobody does that.
            return;
        }
    }

    static String text(String who, List<Thread> threads) {
        StringBuilder names = new StringBuilder();
        for (Thread thread : threads.subList(0, Math.min(NAMED, threads.size()))) {
            names.append(names.length() == 0 ? "" : ", ")
                    .append(thread.getName().isEmpty() ? "one without a name" : thread.getName());
        }
        int more = threads.size() - NAMED;
        return "sluice: " + who + ": main has returned and no device is open, but "
                + (threads.size() == 1 ? "a thread keeps" : threads.size() + " threads keep") + " it from ending: "
                + names + (more > 0 ? " and " + more + " more" : "")
                + "; if it has nothing to do, shut its executor down, or make it a daemon";
    }
}
