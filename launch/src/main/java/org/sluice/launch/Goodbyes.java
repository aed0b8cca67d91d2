package org.sluice.launch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Passes on what ranks that close say to those that their channels never met, and then says that it has. What came in
 * one turn of the server leaves together, one frame for each rank that is told: all ranks of a large job may close at
 * once. A rank says it once, so that none can make the server keep more than one answer to it, and one word of it for
 * each other.
 *
 * <p>Thread: the server's only.
 *
 * <p>Proof: {@code GoodbyesTest}.
 */
final class Goodbyes {
    private final int size;
    private final Map<JobConnection, BitSet> untold = new LinkedHashMap<>();
    private final List<JobConnection> unanswered = new ArrayList<>();

    Goodbyes(int size) {
        this.size = size;
    }

    /** Those of its round who are still there will be told. */
    void take(JobConnection from, ByteBuffer frame) throws Frame.Malformed {
        if (from.saidClosing) {
            throw new Frame.Malformed("a second word that it closes");
        }
        from.saidClosing = true;
        BitSet ranks = Frame.ranks(frame, size);
        Frame.end(frame);
        unanswered.add(from);
        for (JobConnection member : from.round.present()) {
            if (member != from && ranks.get(member.rank)) {
                if (!untold.containsKey(member)) {
                    untold.put(member, new BitSet());
                }
                untold.get(member).set(from.rank);
            }
        }
    }

    void tell() {
        if (!unanswered.isEmpty()) {
            for (Map.Entry<JobConnection, BitSet> each : untold.entrySet()) {
                each.getKey()
                        .tell(new Frame.Writer(Frame.CLOSED)
                                .ranks(each.getValue())
                                .finish());
            }
            for (JobConnection member : unanswered) {
                member.tell(Frame.empty(Frame.PASSED_ON));
            }
            untold.clear();
            unanswered.clear();
        }
    }
}
