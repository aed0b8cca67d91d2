package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.hybrid.operation.Choice;
import org.sluice.hybrid.operation.ReceiveOperation;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.Receiver;
import org.sluice.hybrid.receive.StoredMessage;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.rendezvous.RendezvousSender;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Envelope;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * Looks at what a device has in flight, and changes nothing. <i>Thread</i>: under the progress lock. <i>Proof</i>:
 * {@code InspectionTest}.
 */
public final class ExchangeInspection {
    private static final int NOBODY = -1;
    private static final Envelope NONE = new Envelope(0, NOBODY, NOBODY);

    private final Route[] routes;
    private final Receiver receiver;
    private final RendezvousReceiver rendezvous;
    private final RendezvousSender sender;

    ExchangeInspection(Route[] routes, Receiver receiver, RendezvousReceiver rendezvous, RendezvousSender sender) {
        this.routes = routes;
        this.receiver = receiver;
        this.rendezvous = rendezvous;
        this.sender = sender;
    }

    /** Receives that no message has matched. */
    public int posted() {
        return receiver.posted.size();
    }

    /** Whether a receive or probe waits for a message from any source. */
    boolean isOpenToAny() {
        boolean[] found = new boolean[1];
        receiver.posted.forEach(waiting -> found[0] |= ((ReceiveOperation) waiting).source == Device.ANY_SOURCE);
        for (Probe probe : receiver.probes.waiting()) {
            found[0] |= probe.source == Device.ANY_SOURCE;
        }
        return found[0];
    }

    /** Whether a call serves handlers of which none runs, nor will by what has come so far. */
    boolean isServingNothing() {
        return receiver.handlers() != null && receiver.handlers().isServingNothing();
    }

    /** Messages that no receive has matched. */
    public int unexpected() {
        return receiver.unexpected.size();
    }

    /** What waits for handlers, and how many run, in words; null where nobody asked for handlers. */
    public String handlers() {
        return receiver.handlers() == null ? null : receiver.handlers().toString();
    }

    public int unexpectedFrom(int peer) {
        return receiver.unexpected.countFrom(peer);
    }

    /** As {@link #unexpectedFrom(int)}, of one context. */
    public int unexpectedFrom(int peer, int contextId) {
        int[] count = new int[1];
        receiver.unexpected.forEach(waiting -> {
            StoredMessage message = (StoredMessage) waiting;
            if (message.source == peer && message.contextId == contextId) {
                count[0]++;
            }
        });
        return count[0];
    }

    public long receivedMessages(int peer) {
        return receiver.sources[peer].messages;
    }

    public long receivedBytes(int peer) {
        return receiver.sources[peer].bytes;
    }

    /** Requests that are not over, but for those that the routes have. */
    public int waiting() {
        return posted()
                + receiver.probes.waiting().size()
                + rendezvous.size()
                + rendezvous.asked.size()
                + sender.size();
    }

    /**
     * Receives and probes that are not over, by the rank that they name or whose message has matched them; last those
     * from any rank.
     */
    public int[] receivesByPeer() {
        int[] counts = new int[routes.length + 1];
        receiver.posted.forEach(waiting -> counts[place(((ReceiveOperation) waiting).source)]++);
        for (Probe probe : receiver.probes.waiting()) {
            counts[place(probe.source)]++;
        }
        for (int i = 0; i < rendezvous.size(); i++) {
            counts[rendezvous.get(i).peer]++;
        }
        rendezvous.asked.any(operation -> counts[operation.peer]++ < 0);
        return counts;
    }

    private int place(int sourceOrAny) {
        return sourceOrAny == Device.ANY_SOURCE ? routes.length : sourceOrAny;
    }

    /** Sends whose bytes this rank writes into the peer's memory, by peer. */
    public int[] writtenByPeer() {
        int[] counts = new int[routes.length];
        for (int i = 0; i < sender.size(); i++) {
            counts[sender.get(i).peer]++;
        }
        return counts;
    }

    /** Leases that nobody has closed. */
    public int leases() {
        return receiver.delivery.leases.size();
    }

    /** Those whose end somebody is called back for. */
    public List<Completion> calledBack() {
        List<Completion> all = new ArrayList<>();
        list(new InFlight(
                0,
                completion -> {
                    if (completion.callback() != null) {
                        all.add(completion);
                    }
                    return "";
                },
                completion -> ""));
        return all;
    }

    public void list(InFlight into) {
        receiver.posted.forEach(waiting -> {
            ReceiveOperation operation = (ReceiveOperation) waiting;
            into.add(
                    "receive",
                    new Envelope(operation.contextId, operation.source, operation.tag),
                    operation.bytes,
                    "no message has matched it",
                    operation.completion);
        });
        for (Probe probe : receiver.probes.waiting()) {
            into.add(
                    "probe",
                    new Envelope(probe.contextId, probe.source, probe.tag),
                    0,
                    "no message has matched it",
                    probe.completion);
        }
        for (int i = 0; i < rendezvous.size(); i++) {
            addMatched(
                    rendezvous.get(i),
                    "of " + rendezvous.get(i).accepted
                            + " bytes were asked for, which are read out of the sender's memory",
                    into);
        }
        rendezvous.asked.any(operation -> {
            addMatched(
                    operation,
                    operation.isOffered
                            ? "bytes are known to have come: the sender was told where to write them"
                            : "of " + operation.accepted + " bytes have come: the sender was asked for a stream",
                    into);
            return false;
        });
        listSends(into);
    }

    /** Takes each route's lock, from the thread that it may be biased to. */
    public void listSends(InFlight into) {
        for (Route route : routes) {
            route.inspection().list(into);
        }
        for (int i = 0; i < sender.size(); i++) {
            SendOperation operation = sender.get(i);
            into.add(
                    "send",
                    new Envelope(operation.contextId, operation.peer, operation.tag),
                    operation.bytes,
                    "a receive has matched it, and " + operation.streamed + " of " + operation.accepted
                            + " bytes are on their way into its memory",
                    operation.completion);
        }
    }

    private void addMatched(ReceiveOperation operation, String state, InFlight into) {
        into.add(
                "receive",
                new Envelope(operation.contextId, operation.peer, operation.messageTag),
                operation.messageBytes,
                "a message has matched it, and " + operation.received + " " + state,
                operation.completion);
    }

    /**
     * What a wait is for. What is on its way is known by its completion, but for receives that are matched, of which
     * there are few at a time.
     */
    public RequestState find(Goal goal) {
        if (!(goal instanceof Completion)) {
            return new RequestState("one of several", NONE, 0, "", "");
        }
        Completion completion = (Completion) goal;
        Object known = completion.operation();
        if (known instanceof ReceiveOperation operation) {
            return new RequestState(
                    "receive",
                    new Envelope(operation.contextId, operation.source, operation.tag),
                    operation.bytes,
                    "",
                    "");
        }
        if (known instanceof Probe probe) {
            return new RequestState("probe", new Envelope(probe.contextId, probe.source, probe.tag), 0, "", "");
        }
        if (known instanceof Choice) {
            return new RequestState("one of several", NONE, 0, "", "");
        }
        if (known instanceof SendOperation send) {
            return new RequestState("send", new Envelope(send.contextId, send.peer, send.tag), send.bytes, "", "");
        }
        ReceiveOperation matched = findMatched(completion);
        return matched == null
                ? new RequestState("request", NONE, 0, "", "")
                : new RequestState(
                        "receive",
                        new Envelope(matched.contextId, matched.peer, matched.messageTag),
                        matched.messageBytes,
                        "",
                        "");
    }

    private ReceiveOperation findMatched(Completion completion) {
        for (int i = 0; i < rendezvous.size(); i++) {
            if (rendezvous.get(i).completion == completion) {
                return rendezvous.get(i);
            }
        }
        ReceiveOperation[] found = new ReceiveOperation[1];
        rendezvous.asked.any(operation -> operation.completion == completion && (found[0] = operation) != null);
        return found[0];
    }

    /** The oldest messages that no receive has matched, one line each. */
    public List<String> unexpectedMessages(int most) {
        List<String> lines = new ArrayList<>();
        receiver.unexpected.forEach(waiting -> {
            if (lines.size() < most) {
                StoredMessage message = (StoredMessage) waiting;
                lines.add("from rank " + message.source + ", " + Envelope.text(message.contextId, message.tag)
                        + ", "
                        + message.bytes + " bytes, "
                        + (message.slots != null
                                ? (message.isComing() ? "on its way into" : "in") + " a slot of a persistent route"
                                : message.rendezvous ? "by rendezvous" : "eager"));
            }
        });
        return lines;
    }
}
