package org.sluice.hybrid.device;

import java.util.concurrent.locks.ReentrantLock;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;

/**
 * Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k each rank tells the one 2^k ahead and hears from the
 * one 2^k behind.
 *
 * <p><i>Thread</i>: one barrier at a time per device; a second caller waits for its turn, as its messages would mix
 * with the first's. <i>Fails</i>: when a rank is gone, on every rank that lives: who finds it out goes through the
 * remaining rounds all the same and tells the others, who wait for ranks that live and would wait forever.
 * <i>Proof</i>: {@code PeerDeathProcessTest}.
 */
final class Barrier {
    /** A message space that no program can name. */
    private static final int CONTEXT_ID = RequestState.BARRIER_CONTEXT;
    /** Number of the rank that is gone, number of the error; a message of a barrier that goes well is empty. */
    private static final int FAILURE_WORDS = 2;

    private static final ErrorCode[] CODES = {ErrorCode.PEER_DEAD, ErrorCode.PEER_CLOSED, ErrorCode.PEER_CORRUPT};

    private final int rank;
    private final int size;
    private final ReentrantLock turn = new ReentrantLock();
    private final Status status = new Status();
    private final int[] heard = new int[FAILURE_WORDS];

    Barrier(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    void await(SendCalls sends, ReceiveCalls receives, Route[] routes) {
        turn.lock();
        try {
            SluiceException failure = null;
            for (int distance = 1, round = 0; distance < size; distance <<= 1, round++) {
                // Not blocking: where the peer's share is used up a send ends with its match, and all ranks send before
                // they receive.
                Request telling = tell(sends, routes[(rank + distance) % size], round, failure);
                failure = hear(receives, Math.floorMod(rank - distance, size), round, failure);
                failure = told(telling, failure);
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            turn.unlock();
        }
    }

    private static Request tell(SendCalls sends, Route route, int round, SluiceException before) {
        int[] message = before == null ? null : new int[] {before.peer(), codeNumber(before.code())};
        return sends.isendUnseen(
                route, message, 0, before == null ? 0 : FAILURE_WORDS * Integer.BYTES, CONTEXT_ID, round);
    }

    /** @return why this barrier fails, or null */
    private SluiceException told(Request telling, SluiceException before) {
        try {
            telling.waitFor(status);
            return before;
        } catch (SluiceException e) {
            return firstOf(before, e);
        }
    }

    private SluiceException hear(ReceiveCalls receives, int from, int round, SluiceException before) {
        try {
            receives.recv(heard, 0, FAILURE_WORDS * Integer.BYTES, CONTEXT_ID, from, round, status);
        } catch (SluiceException e) {
            return firstOf(before, e);
        }
        if (before != null || status.bytes() == 0) {
            return before;
        }
        ErrorCode code = heard[1] >= 0 && heard[1] < CODES.length ? CODES[heard[1]] : ErrorCode.PEER_CORRUPT;
        return new SluiceException(
                code,
                heard[0],
                "the barrier can't be completed: rank " + from + " says of rank " + heard[0] + ": " + code,
                null);
    }

    /**
     * Goes on through the rounds for the others' sake where a peer is gone; this device's own end ends the barrier at
     * once.
     */
    private static SluiceException firstOf(SluiceException before, SluiceException now) {
        if (codeNumber(now.code()) < 0) {
            throw now;
        }
        return before == null ? now : before;
    }

    private static int codeNumber(ErrorCode code) {
        for (int number = 0; number < CODES.length; number++) {
            if (CODES[number] == code) {
                return number;
            }
        }
        return -1;
    }
}
