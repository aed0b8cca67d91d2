package org.sluice.launch;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * The rank whose end another rank failed of, as the exception that left the latter's main method says.
 *
 * @param certain false where the exception was only suppressed by another: the rank may have failed by itself first,
 *     and then have closed towards a rank that had died of just that
 */
record Blame(int peer, boolean certain) {

    /** @return null where no other rank's end is among what the failure came of */
    static Blame of(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> next = new ArrayDeque<>(List.of(failure));
        boolean certain = true;
        while (!next.isEmpty()) {
            for (Throwable link = next.poll(); link != null && seen.add(link); link = link.getCause()) {
                if (link instanceof SluiceException exception && isOfPeersEnd(exception)) {
                    return new Blame(exception.peer(), certain);
                }
                next.addAll(List.of(link.getSuppressed()));
            }
            certain = false;
        }
        return null;
    }

    private static boolean isOfPeersEnd(SluiceException exception) {
        return exception.peer() >= 0
                && (exception.code() == ErrorCode.PEER_CLOSED || exception.code() == ErrorCode.PEER_DEAD);
    }
}
