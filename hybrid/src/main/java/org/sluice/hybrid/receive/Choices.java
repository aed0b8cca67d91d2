package org.sluice.hybrid.receive;

import java.util.List;
import org.sluice.device.Device;
import org.sluice.hybrid.match.PostedReceiveQueue;
import org.sluice.hybrid.match.UnexpectedMessageQueue;
import org.sluice.hybrid.operation.Choice;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.operation.PeerFailures;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.request.Alternative;
import org.sluice.hybrid.request.Failure;

/**
 * Posts the receives of a {@link Choice}, and withdraws all of them but the one that was matched.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code CoroutineSelectTest}.
 */
public final class Choices {
    private final PostedReceiveQueue posted;
    private final UnexpectedMessageQueue unexpected;
    private final PeerFailures failures;
    private final Ends ends;
    private final Delivery delivery;

    Choices(
            PostedReceiveQueue posted,
            UnexpectedMessageQueue unexpected,
            PeerFailures failures,
            Ends ends,
            Delivery delivery) {
        this.posted = posted;
        this.unexpected = unexpected;
        this.failures = failures;
        this.ends = ends;
        this.delivery = delivery;
    }

    /** Makes its receives. Where one has a buffer that can't be used nothing has happened. */
    public void make(Choice choice, List<Alternative> alternatives, long[] bytes) {
        int made = 0;
        try {
            for (Alternative each : alternatives) {
                choice.set(
                        made,
                        ends.receiveOperation(
                                each.buffer(),
                                0,
                                bytes[made],
                                each.envelope().contextId(),
                                each.envelope().source(),
                                each.envelope().tag(),
                                choice.completion));
                made++;
            }
        } catch (RuntimeException e) {
            while (made-- > 0) {
                ends.withdrawn(choice.remove(made));
            }
            throw e;
        }
    }

    /**
     * Posts all, or ends the choice with a message that is there already, or with the reason why one of them can get
     * none.
     */
    public void post(Choice choice) {
        if (!endsNow(choice)) {
            for (int i = 0; i < choice.size(); i++) {
                posted.add(choice.get(i));
            }
            choice.completion.operation(choice);
        }
    }

    /** The first that finds a message there has it. */
    private boolean endsNow(Choice choice) {
        for (int i = 0; i < choice.size() && delivery.isReceiving() && unexpected.size() != 0; i++) {
            ReceiveOperation member = choice.get(i);
            StoredMessage message = (StoredMessage) unexpected.take(member.contextId, member.source, member.tag);
            if (message != null) {
                settle(member);
                delivery.receive(member, message);
                return true;
            }
        }
        for (int i = 0; i < choice.size(); i++) {
            Failure failure = delivery.over() != null ? delivery.over() : failures.forReceive(choice.get(i).source);
            if (failure != null) {
                fail(choice.get(i), failure);
                return true;
            }
        }
        return false;
    }

    /**
     * A receive, which is out of the queue, has the message, or fails for all: nothing is left for the others, if there
     * are any.
     */
    void settle(ReceiveOperation chosen) {
        Choice choice = chosen.choice;
        if (choice != null) {
            choice.settle(chosen);
            for (int i = 0; i < choice.size(); i++) {
                ReceiveOperation other = choice.remove(i);
                if (other != null) {
                    posted.remove(other);
                    ends.withdrawn(other);
                }
            }
        }
    }

    /** Whether any receive waits in this context. Under the progress lock. */
    public boolean isAnyPosted(int contextId) {
        ReceiveOperation each = (ReceiveOperation) posted.first();
        while (each != null && each.contextId != contextId) {
            each = (ReceiveOperation) posted.after(each);
        }
        return each != null;
    }

    /** Fails all receives that wait. As below, it allocates nothing. */
    void failAll(Failure failure) {
        for (ReceiveOperation first; (first = (ReceiveOperation) posted.first()) != null; ) {
            posted.remove(first);
            fail(first, failure);
        }
    }

    /** Fails those that only this peer, or with wildcards any, could have ended. */
    void failOf(int peer, boolean wildcardsToo, Failure failure) {
        ReceiveOperation next;
        for (ReceiveOperation each = (ReceiveOperation) posted.first(); each != null; each = next) {
            next = (ReceiveOperation) posted.after(each);
            if (each.source == peer || each.source == Device.ANY_SOURCE && wildcardsToo) {
                boolean isAlone = each.choice == null;
                posted.remove(each);
                fail(each, failure);
                // Others of a choice have left the queue with it.
                next = isAlone ? next : (ReceiveOperation) posted.first();
            }
        }
    }

    /** Fails those in contexts that have ended. */
    void failEnded(EndedContexts ended) {
        ReceiveOperation next;
        for (ReceiveOperation each = (ReceiveOperation) posted.first(); each != null; each = next) {
            next = (ReceiveOperation) posted.after(each);
            Failure failure = ended.of(each.contextId);
            if (failure != null) {
                boolean isAlone = each.choice == null;
                posted.remove(each);
                fail(each, failure);
                // As above.
                next = isAlone ? next : (ReceiveOperation) posted.first();
            }
        }
    }

    /** A receive that is out of the queue. */
    void fail(ReceiveOperation operation, Failure failure) {
        settle(operation);
        ends.failed(operation, failure);
    }
}
