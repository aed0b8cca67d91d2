package org.sluice.device.channel;

import org.sluice.device.memory.Memory;

/**
 * The two fences of a pair in which each side writes one word and then reads the other's, and one of the two must see
 * the other: a sender publishes and looks whether the receiver sleeps; a receiver says that it sleeps and looks for
 * what was published.
 *
 * <p>Symmetric: both sides fence. Asymmetric: the side that does it at every message pays nothing, and the side that
 * does it rarely makes all threads of all processes of the job on this node pass a fence (the system call membarrier,
 * on Linux since 4.16, where each process registers once). Within a process that holds always; between processes the
 * kernel may pass over a core, so that what a look missed there has to be looked for again
 * (docs/project/adr/0009-asymmetric-fences.md). All ranks of a node must be of one kind. Immutable. <i>Thread</i>: any.
 * <i>Proof</i>: {@code FencesTest}.
 */
public final class Fences {
    public static final Fences SYMMETRIC = new Fences(null);

    private final Runnable everywhere;

    private Fences(Runnable everywhere) {
        this.everywhere = everywhere;
    }

    /** @param everywhere makes every running thread of the registered processes pass a full fence before it returns */
    public static Fences asymmetric(Runnable everywhere) {
        return new Fences(everywhere);
    }

    public boolean isAsymmetric() {
        return everywhere != null;
    }

    /** The frequent side, between its write and its look. */
    public void afterPublish() {
        if (everywhere == null) {
            Memory.fullFence();
        } else {
            // The compiler keeps the order; the rare side's fence does the rest.
            Memory.loadFence();
        }
    }

    /** The rare side, between its write and its look. */
    public void beforeLook() {
        Memory.fullFence();
        if (everywhere != null) {
            everywhere.run();
        }
    }
}
