package org.sluice.hybrid.operation;

import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.request.Failure;

/**
 * Which peers are gone, and which deaths the program has acknowledged.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code PeerDeathProcessTest}.
 */
public final class PeerFailures {
    private final Failure[] failures;
    private final boolean[] acknowledged;
    /** The first death that was not acknowledged: wildcard receives fail because of it. */
    private Failure wildcard;
    /** The whole device has ended. */
    private Failure device;

    private Failure broken;
    private boolean isUnended;
    private Witness witness;

    public PeerFailures(int size) {
        failures = new Failure[size];
        acknowledged = new boolean[size];
    }

    public void witness(Witness newWitness) {
        witness = newWitness;
    }

    /** The peers are looked at. */
    public void look() {
        if (witness != null) {
            witness.look();
        }
    }

    private void tell(Failure failure) {
        if (witness != null) {
            witness.failed(failure);
        }
    }

    public Failure of(int peer) {
        return device != null ? device : failures[peer];
    }

    /** Why a receive from this source can't be posted, or null. */
    public Failure forReceive(int sourceOrAny) {
        if (device != null) {
            return device;
        }
        return sourceOrAny == Device.ANY_SOURCE ? wildcard : failures[sourceOrAny];
    }

    public void add(Failure failure) {
        failures[failure.peer()] = failure;
        findWildcard();
        tell(failure);
    }

    /** What the whole device is to fail with. */
    public Failure ofDevice(Throwable cause) {
        broken = broken == null ? Failure.ofDevice(cause) : broken;
        return broken;
    }

    /** What was thrown as the device ended stands in the stack trace of why it does. */
    public void unended(Throwable thrown) {
        Throwable cause = broken == null ? null : broken.cause();
        if (cause == null || thrown == cause || isUnended) {
            return;
        }
        isUnended = true;
        cause.addSuppressed(thrown);
    }

    public void end(Failure failure) {
        if (device == null) {
            device = failure;
            if (failure.code() == ErrorCode.DEVICE_FAILED) {
                tell(failure);
            }
        }
    }

    public Failure device() {
        return device;
    }

    /** Whether the program knows that this peer is gone, or that it has closed. */
    public boolean isKnown(int peer) {
        return failures[peer] != null && (failures[peer].isTold() || acknowledged[peer] || !isDeath(failures[peer]));
    }

    /**
     * Wildcard receives no longer fail because of this peer.
     *
     * @throws IllegalStateException where it has not failed: its death to come would not be told
     */
    public void acknowledge(int peer) {
        if (failures[peer] == null) {
            throw new IllegalStateException("rank " + peer
                    + " is not known to have died: acknowledge it once a request has failed because of it");
        }
        acknowledged[peer] = true;
        findWildcard();
    }

    public boolean isDeath(Failure failure) {
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
    public static boolean isToldAgain(List<Failure> failed, int index) {
        int peer = failed.get(index).peer();
        int last = failed.size() - 1;
        while (failed.get(last).peer() != peer) {
            last--;
        }
        return last > index;
    }
}
