package org.sluice.jni.os;

import org.sluice.jni.Errno;

/**
 * Makes every running thread of the processes that {@link #register registered} pass a full fence.
 *
 * <p>Two commands, because the kernel's fence for all processes skips a core that idled when the process registered and
 * has run nothing but its threads since (docs/project/adr/0009-asymmetric-fences.md). The one for the own process looks
 * at the threads themselves, so that a fence within it, for a lock, holds always. <i>Thread</i>: any. <i>Fails</i>:
 * with IllegalStateException where neither command nor the slow one works. <i>Proof</i>: {@code FenceEverywhereTest}.
 */
public record FenceEverywhere(OsCalls calls) implements Runnable {
    /** MEMBARRIER_CMD_GLOBAL: slower, and reaches processes that never registered. */
    static final int SLOW = 1;

    private static final int ALL = SLOW
            | OsCalls.MEMBARRIER_GLOBAL_EXPEDITED
            | OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED
            | OsCalls.MEMBARRIER_PRIVATE_EXPEDITED
            | OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED;

    /**
     * @return false where this machine has no such fence, or not the slow one that stands in for it (a kernel with
     *     nohz_full)
     */
    public static boolean isKnown(OsCalls calls) {
        int known = calls.membarrier(OsCalls.MEMBARRIER_QUERY);
        return known > 0 && (known & ALL) == ALL;
    }

    /**
     * For the fences of other processes; takes 7 to 24 ms. {@link #registerOwn} should follow: until it has, a fence
     * takes milliseconds.
     *
     * @return 0 or a negative error number
     */
    public static int register(OsCalls calls) {
        return calls.membarrier(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED);
    }

    /**
     * For this process's own fences; takes ten milliseconds or two. It makes up, too, for the cores that run this
     * process by then.
     *
     * @return 0 or a negative error number
     */
    public static int registerOwn(OsCalls calls) {
        return calls.membarrier(OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED);
    }

    @Override
    public void run() {
        int own = calls.membarrier(OsCalls.MEMBARRIER_PRIVATE_EXPEDITED);
        int all = calls.membarrier(OsCalls.MEMBARRIER_GLOBAL_EXPEDITED);
        // Not registered for the own yet, or no memory: the slow one is as good.
        if ((own != 0 || all != 0) && calls.membarrier(SLOW) != 0) {
            throw new IllegalStateException(
                    Errno.describe("membarrier", own != 0 ? own : all) + ", although the kernel has that command");
        }
    }
}
