package org.sluice.launch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * One kind of end that ranks have, and who wants to hear of it: each listener of each rank once, also of those from
 * before it listened.
 *
 * <p>Thread: any. Listeners are called without a lock: one of them may wait for a lock whose holder calls the
 * bootstrap.
 *
 * <p>Fails: a listener that throws is no end of the thread that tells, and the others are told all the same.
 *
 * <p>Proof: {@code JobServerTest}, {@code GoodbyesTest}.
 */
final class RankNews {
    private final BitSet ranks = new BitSet();
    private final List<IntConsumer> listeners = new ArrayList<>();

    void listen(IntConsumer listener) {
        BitSet before;
        synchronized (this) {
            listeners.add(listener);
            before = (BitSet) ranks.clone();
        }
        for (int rank = before.nextSetBit(0); rank >= 0; rank = before.nextSetBit(rank + 1)) {
            listener.accept(rank);
        }
    }

    void tell(int rank) {
        List<IntConsumer> now;
        synchronized (this) {
            if (ranks.get(rank)) {
                return;
            }
            ranks.set(rank);
            now = List.copyOf(listeners);
        }
        for (IntConsumer listener : now) {
            tell(listener, rank);
        }
    }

    /** With the thread that tells, the connection would end, and the others would take this rank for dead. */
    private static void tell(IntConsumer listener, int rank) {
        try {
            listener.accept(rank);
        } catch (RuntimeException e) {
            // What it could not clear away (the name of a dead rank's segment) stays for ./sluice doctor.
            return;
        }
    }
}
