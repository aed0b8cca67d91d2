package org.sluice.hybrid.device;

import java.util.Arrays;
import org.sluice.jni.os.OsCalls;

/**
 * Brings a rank of a crowded node back to the core where its neighbours run (docs/project/adr/0012-home-cores.md).
 *
 * <p>The kernel spreads ranks that wake together as it happens to, three on one core and one on another for instance,
 * and takes a tenth of a second to see it. A rank that yields looks now and then where it is, and moves itself, ten
 * times a second at most, so that a kernel that has reasons to move it away wins. It is never bound: its thread may run
 * everywhere again at once.
 *
 * <p><i>Thread</i>: any; a race between two costs a look or a move. <i>Proof</i>: {@code HomeCoreTest}.
 */
final class HomeCore {
    /** For a rank without one. */
    static final int NONE = -1;

    private static final int YIELDS_PER_LOOK = 16;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final int WORD_BITS = Long.SIZE;

    private final OsCalls calls;
    private final int core;
    private int yields;
    private long nextMove = System.nanoTime();

    HomeCore(OsCalls calls, int core) {
        this.calls = calls;
        this.core = core;
    }

    /** After each yield of the core. */
    void afterYield() {
        if (core == NONE || ++yields % YIELDS_PER_LOOK != 0) {
            return;
        }
        int here = calls.schedGetcpu();
        if (here >= 0 && here != core) {
            long now = System.nanoTime();
            if (now - nextMove >= 0) {
                nextMove = now + PAUSE_NANOS;
                move();
            }
        }
    }

    /** Binds the calling thread to its core, which moves it there, and lets it go again. */
    private void move() {
        long[] allowed = new long[OsCalls.MASK_WORDS];
        if (calls.schedGetaffinity(0, allowed) != 0 || (allowed[core / WORD_BITS] >>> core & 1) == 0) {
            return;
        }
        long[] home = new long[core / WORD_BITS + 1];
        home[core / WORD_BITS] = 1L << core;
        if (calls.schedSetaffinity(0, home) == 0 && calls.schedSetaffinity(0, allowed) != 0) {
            // Its cores were changed in between: the kernel reduces "all" to what there is.
            Arrays.fill(allowed, -1);
            calls.schedSetaffinity(0, allowed);
        }
    }
}
