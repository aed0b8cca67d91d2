package org.sluice.hybrid.observe;

import java.util.Map;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.route.Route;

/** What goes between a rank and one of its peers, itself included. Immutable; read by JMX through its getters. */
public final class PeerState {
    private final int rank;
    private final String channel;
    private final String locality;
    private final Map<String, Long> counters;
    private final long sentMessages;
    private final long sentBytes;
    private final long receivedMessages;
    private final long receivedBytes;
    private final int unexpectedMessages;
    private final int waitingSends;
    private final int waitingReceives;
    private final long eagerBytesLeft;
    private final String failure;

    /** @param received messages and bytes */
    public PeerState(
            Route route,
            Map<String, Long> counters,
            long[] received,
            int unexpectedMessages,
            int waitingSends,
            int waitingReceives,
            long eagerBytesLeft) {
        this.rank = route.peer();
        this.channel = route.channel().name();
        this.locality = route.locality().name();
        this.counters = counters;
        this.sentMessages = route.counters().get(Counter.SENT_EAGER)
                + route.counters().get(Counter.SENT_RENDEZVOUS)
                + route.counters().get(Counter.SENT_BY_ROUTE);
        this.sentBytes = route.counters().get(Counter.SENT_BYTES);
        this.receivedMessages = received[0];
        this.receivedBytes = received[1];
        this.unexpectedMessages = unexpectedMessages;
        this.waitingSends = waitingSends;
        this.waitingReceives = waitingReceives;
        this.eagerBytesLeft = eagerBytesLeft;
        this.failure = route.failure() == null ? "" : route.failure().message();
    }

    public int getRank() {
        return rank;
    }

    public String getChannel() {
        return channel;
    }

    /** SELF, SAME_JVM, SAME_NODE or REMOTE. */
    public String getLocality() {
        return locality;
    }

    /** What was counted on the way to this peer, by name, as far as it isn't 0. */
    public Map<String, Long> getCounters() {
        return counters;
    }

    public long getSentMessages() {
        return sentMessages;
    }

    public long getSentBytes() {
        return sentBytes;
    }

    /** Messages that have come, received by the program or not. */
    public long getReceivedMessages() {
        return receivedMessages;
    }

    /** Of those, with bytes of a rendezvous that may still be on their way. */
    public long getReceivedBytes() {
        return receivedBytes;
    }

    /** Messages of it that no receive has matched. */
    public int getUnexpectedMessages() {
        return unexpectedMessages;
    }

    /** Messages to it that are not over. */
    public int getWaitingSends() {
        return waitingSends;
    }

    /** Receives and probes that name it, or that a message of it has matched, and that are not over. */
    public int getWaitingReceives() {
        return waitingReceives;
    }

    /** What may go to it eagerly before it has received what went. */
    public long getEagerBytesLeft() {
        return eagerBytesLeft;
    }

    /** Why nothing goes to it any more, or empty. */
    public String getFailure() {
        return failure;
    }
}
