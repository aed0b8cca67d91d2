package org.sluice.hybrid.operation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.request.Failure;

/**
 * Sends that failed because their peer was gone, as long as no call has told the program of that: one that never asks
 * for the results of its requests would close in the belief that all was sent.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code UnheardSendsTest}, {@code CloseProcessTest}.
 */
public final class UnheardSends {
    /** A peer has one, or few, whatever number of sends fails of it. */
    private final Map<Failure, Integer> sends = new LinkedHashMap<>();

    /** @param failure of a send whose request the program holds */
    void add(Failure failure) {
        if (failure.code() == ErrorCode.PEER_CLOSED || failure.code() == ErrorCode.PEER_DEAD) {
            sends.merge(failure, 1, Integer::sum);
        }
    }

    /** How many, to whom, and why; empty where the program knows, or there were none. */
    public String text() {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<Failure, Integer> each : sends.entrySet()) {
            Failure failure = each.getKey();
            int count = each.getValue();
            if (!failure.isHeard()) {
                parts.add(count + (count == 1 ? " send" : " sends") + " to rank " + failure.peer() + " ("
                        + failure.code() + ": " + failure.message() + ")");
            }
        }
        return String.join(", ", parts);
    }
}
