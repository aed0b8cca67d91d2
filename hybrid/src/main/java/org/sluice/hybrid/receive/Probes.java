package org.sluice.hybrid.receive;

import java.util.ArrayList;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.match.UnexpectedMessageQueue;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.request.Failure;

/**
 * Those who wait for a message to be there, and don't receive it, or not yet.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code ProbeCases}.
 */
public final class Probes {
    private final ArrayList<Probe> waiting = new ArrayList<>();
    private final UnexpectedMessageQueue unexpected;
    private final PeerFailures failures;
    private final EndedContexts ended;
    private final Ends ends;
    /** As {@code RendezvousSender}'s. */
    private final Failure cancelled =
            new Failure(ErrorCode.CANCELLED, -1, "the probe was cancelled before a message came");
    /** Why nothing is received any more, or null. */
    private Failure over;

    Probes(UnexpectedMessageQueue unexpected, PeerFailures failures, EndedContexts ended, Ends ends) {
        this.ended = ended;
        this.unexpected = unexpected;
        this.failures = failures;
        this.ends = ends;
    }

    /** Whoever looks changes nothing. */
    public ArrayList<Probe> waiting() {
        return waiting;
    }

    /** Whether anybody waits for a message of this context. */
    public boolean isAnyWaiting(int contextId) {
        for (Probe probe : waiting) {
            if (probe.contextId == contextId) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Looks for a message now.
     *
     * @return false when there is none
     */
    public boolean now(Probe probe) {
        StoredMessage message = (StoredMessage)
                (probe.taker != null
                        ? unexpected.take(probe.contextId, probe.source, probe.tag)
                        : unexpected.peek(probe.contextId, probe.source, probe.tag));
        if (message != null) {
            found(probe, message);
        }
        return message != null;
    }

    /** As {@link #now}, for whom a probe that finds nothing is not worth making. */
    public boolean isThere(int contextId, int source, int tag) {
        return unexpected.peek(contextId, source, tag) != null;
    }

    /** Looks now and, if there is none, whenever a message comes. */
    public void begin(Probe probe) {
        if (!now(probe)) {
            Failure failure = over != null ? over : ended.of(probe.contextId);
            failure = failure != null ? failure : failures.forReceive(probe.source);
            if (failure != null) {
                failed(probe, failure);
            } else {
                probe.completion.operation(probe);
                waiting.add(probe);
            }
        }
    }

    /** One that waits, and whoever began it knows. */
    public void withdraw(Probe probe) {
        probe.completion.operation(null);
        waiting.remove(probe);
    }

    /**
     * Shows a new message to all.
     *
     * @return true when one has taken it
     */
    boolean offer(StoredMessage message) {
        for (int i = 0; i < waiting.size(); i++) {
            Probe probe = waiting.get(i);
            if (probe.accepts(message)) {
                waiting.remove(i--);
                found(probe, message);
                if (probe.taker != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private void found(Probe probe, StoredMessage message) {
        if (probe.taker != null) {
            probe.taker.took(message);
        }
        ends.calledBack(
                probe.completion,
                probe.completion.succeed(message.contextId, message.source, message.tag, message.bytes, 1));
    }

    private void failed(Probe probe, Failure failure) {
        ends.calledBack(
                probe.completion, probe.completion.fail(failure, probe.contextId, probe.source, probe.tag, 0, 1));
    }

    /** One that waits: it is known by its completion as long as it does. */
    void cancel(Probe probe) {
        waiting.remove(probe);
        failed(probe, cancelled);
    }

    /** @param wildcardsToo whether any peer could have ended them */
    void fail(int peer, boolean wildcardsToo, Failure failure) {
        for (int i = 0; i < waiting.size(); i++) {
            Probe probe = waiting.get(i);
            if (probe.source == peer || (probe.source == Device.ANY_SOURCE && wildcardsToo)) {
                waiting.remove(i--);
                failed(probe, failure);
            }
        }
    }

    /** Fails those in contexts that have ended. */
    void failEnded() {
        for (int i = 0; i < waiting.size(); i++) {
            Probe probe = waiting.get(i);
            Failure failure = ended.of(probe.contextId);
            if (failure != null) {
                waiting.remove(i--);
                failed(probe, failure);
            }
        }
    }

    /** Fails all that wait, or will. */
    void failAll(Failure failure) {
        over = over == null ? failure : over;
        for (Probe probe : waiting) {
            failed(probe, failure);
        }
        waiting.clear();
    }

    @Override
    public String toString() {
        return waiting.size() + " probes";
    }
}
