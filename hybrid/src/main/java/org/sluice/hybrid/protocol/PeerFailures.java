package org.sluice.hybrid.protocol;

import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.request.Failure;

/**
 * Which peers are gone, and which deaths the program has acknowledged.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code PeerDeathProcessTest}.
 */
final class PeerFailures {
    private final Failure[] failures;
    private final boolean[] acknowledged;
    /** The first death that was not acknowledged: wildcard receives fail because of it. */
    private Failure wildcard;
    /** The whole device has ended. */
    private Failure device;

    PeerFailures(int size) {
        failures = new Failure[size];
        acknowledged = new boolean[size];
    }

    Failure of(int peer) {
        return device != null ? device : failures[peer];
    }

    /** Why a receive from this source can't be posted, or null. */
    Failure forReceive(int sourceOrAny) {
        if (device != null) {
            return device;
        }
        return sourceOrAny == Device.ANY_SOURCE ? wildcard : failures[sourceOrAny];
    }

    void add(Failure failure) {
        failures[failure.peer()] = failure;
        findWildcard();
    }

    void end(Failure failure) {
        if (device == null) {
            device = failure;
        }
    }

    Failure device() {
        return device;
    }

    /** Wildcard receives no longer fail because of this peer. */
    void acknowledge(int peer) {
        acknowledged[peer] = true;
        findWildcard();
    }

    boolean isDeath(Failure failure) {
        return failure.code() != ErrorCode.PEER_CLOSED;
    }

    private void findWildcard() {
        wildcard = null;
        for (int peer = failures.length - 1; peer >= 0; peer--) {
            if (failures[peer] != null && isDeath(failures[peer]) && !acknowledged[peer]) {
                wildcard = failures[peer];
            }
        }
    }

    /** Whether a later failure in the list is of the same peer. */
    static boolean isToldAgain(List<Failure> failed, int index) {
        int peer = failed.get(index).peer();
        int last = failed.size() - 1;
        while (failed.get(last).peer() != peer) {
            last--;
        }
        return last > index;
    }
}
