package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.layer.LayerActivity;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.InFlight;
import org.sluice.hybrid.request.RequestState;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.RouteInspection;
import org.sluice.hybrid.route.SendOperation;

/**
 * Looks at what a device has in flight, and changes nothing. <i>Thread</i>: under the progress lock. <i>Proof</i>:
 * {@code InspectionTest}.
 */
public final class ExchangeInspection {
    private static final int NOBODY = -1;

    private ExchangeInspection() {}

    /** Receives that no message has matched. */
    public static int posted(Exchange exchange) {
        return exchange.receiver.posted.size();
    }

    /** Whether a receive or probe waits for a message from any source. */
    static boolean isOpenToAny(Exchange exchange) {
        boolean[] found = new boolean[1];
        exchange.receiver.posted.forEach(
                waiting -> found[0] |= ((ReceiveOperation) waiting).source == Device.ANY_SOURCE);
        for (Probe probe : exchange.receiver.probes.waiting()) {
            found[0] |= probe.source == Device.ANY_SOURCE;
        }
        return found[0];
    }

    /** Whether a call serves handlers of which none runs, nor will by what has come so far. */
    static boolean isServingNothing(Exchange exchange) {
        HandlerMessages handlers = exchange.receiver.handlers();
        return handlers != null
                && !handlers.serving.isEmpty()
                && !handlers.isRunning()
                && !handlers.isDue()
                && !handlers.fetches.isMoving();
    }

    /** As {@link org.sluice.device.layer.LayerWatcher#activities}. */
    public static List<LayerActivity> activities(Exchange exchange) {
        return exchange.notices.activities();
    }

    /** Messages that no receive has matched. */
    public static int unexpected(Exchange exchange) {
        return exchange.receiver.unexpected.size();
    }

    /** What waits for handlers, and how many run, in words; null where nobody asked for handlers. */
    public static String handlers(Exchange exchange) {
        return exchange.receiver.handlers() == null
                ? null
                : exchange.receiver.handlers().toString();
    }

    public static int unexpectedFrom(Exchange exchange, int peer) {
        return exchange.receiver.unexpected.countFrom(peer);
    }

    public static long receivedMessages(Exchange exchange, int peer) {
        return exchange.receiver.sources[peer].messages;
    }

    public static long receivedBytes(Exchange exchange, int peer) {
        return exchange.receiver.sources[peer].bytes;
    }

    /** Requests that are not over, but for those that the routes have. */
    public static int waiting(Exchange exchange) {
        return posted(exchange)
                + exchange.receiver.probes.waiting().size()
                + exchange.rendezvous.size()
                + exchange.rendezvous.asked.size()
                + exchange.sender.size();
    }

    /**
     * Receives and probes that are not over, by the rank that they name or whose message has matched them; last those
     * from any rank.
     */
    public static int[] receivesByPeer(Exchange exchange) {
        int[] counts = new int[exchange.routes.length + 1];
        exchange.receiver.posted.forEach(waiting -> counts[place(((ReceiveOperation) waiting).source, exchange)]++);
        for (Probe probe : exchange.receiver.probes.waiting()) {
            counts[place(probe.source, exchange)]++;
        }
        for (int i = 0; i < exchange.rendezvous.size(); i++) {
            counts[exchange.rendezvous.get(i).peer]++;
        }
        exchange.rendezvous.asked.any(operation -> counts[operation.peer]++ < 0);
        return counts;
    }

    private static int place(int sourceOrAny, Exchange exchange) {
        return sourceOrAny == Device.ANY_SOURCE ? exchange.routes.length : sourceOrAny;
    }

    /** Sends whose bytes this rank writes into the peer's memory, by peer. */
    public static int[] writtenByPeer(Exchange exchange) {
        int[] counts = new int[exchange.routes.length];
        for (int i = 0; i < exchange.sender.size(); i++) {
            counts[exchange.sender.get(i).peer]++;
        }
        return counts;
    }

    /** Leases that nobody has closed. */
    public static int leases(Exchange exchange) {
        return exchange.leases.size();
    }

    /** Those whose end somebody is called back for. */
    public static List<Completion> calledBack(Exchange exchange) {
        List<Completion> all = new ArrayList<>();
        list(
                exchange,
                new InFlight(
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

    public static void list(Exchange exchange, InFlight into) {
        exchange.receiver.posted.forEach(waiting -> {
            ReceiveOperation operation = (ReceiveOperation) waiting;
            into.add(
                    "receive",
                    operation.source,
                    operation.tag,
                    operation.contextId,
                    operation.bytes,
                    "no message has matched it",
                    operation.completion);
        });
        for (Probe probe : exchange.receiver.probes.waiting()) {
            into.add(
                    "probe",
                    probe.source,
                    probe.tag,
                    probe.contextId,
                    0,
                    "no message has matched it",
                    probe.completion);
        }
        for (int i = 0; i < exchange.rendezvous.size(); i++) {
            addMatched(
                    exchange.rendezvous.get(i),
                    "of " + exchange.rendezvous.get(i).accepted
                            + " bytes were asked for, which are read out of the sender's memory",
                    into);
        }
        exchange.rendezvous.asked.any(operation -> {
            addMatched(
                    operation,
                    operation.isOffered
                            ? "bytes are known to have come: the sender was told where to write them"
                            : "of " + operation.accepted + " bytes have come: the sender was asked for a stream",
                    into);
            return false;
        });
        listSends(exchange, into);
    }

    /** Takes each route's lock, from the thread that it may be biased to. */
    public static void listSends(Exchange exchange, InFlight into) {
        for (Route route : exchange.routes) {
            RouteInspection.list(route, into);
        }
        for (int i = 0; i < exchange.sender.size(); i++) {
            SendOperation operation = exchange.sender.get(i);
            into.add(
                    "send",
                    operation.peer,
                    operation.tag,
                    operation.contextId,
                    operation.bytes,
                    "a receive has matched it, and " + operation.streamed + " of " + operation.accepted
                            + " bytes are on their way into its memory",
                    operation.completion);
        }
    }

    private static void addMatched(ReceiveOperation operation, String state, InFlight into) {
        into.add(
                "receive",
                operation.peer,
                operation.messageTag,
                operation.contextId,
                operation.messageBytes,
                "a message has matched it, and " + operation.received + " " + state,
                operation.completion);
    }

    /**
     * What a wait is for. What is on its way is known by its completion, but for receives that are matched, of which
     * there are few at a time.
     */
    public static RequestState find(Exchange exchange, Goal goal) {
        if (!(goal instanceof Completion)) {
            return new RequestState("one of several", NOBODY, NOBODY, 0, 0, "", "");
        }
        Completion completion = (Completion) goal;
        Object known = completion.operation();
        if (known instanceof ReceiveOperation operation) {
            return new RequestState(
                    "receive", operation.source, operation.tag, operation.contextId, operation.bytes, "", "");
        }
        if (known instanceof Probe probe) {
            return new RequestState("probe", probe.source, probe.tag, probe.contextId, 0, "", "");
        }
        if (known instanceof Choice) {
            return new RequestState("one of several", NOBODY, NOBODY, 0, 0, "", "");
        }
        if (known instanceof SendOperation send) {
            return new RequestState("send", send.peer, send.tag, send.contextId, send.bytes, "", "");
        }
        ReceiveOperation matched = findMatched(exchange, completion);
        return matched == null
                ? new RequestState("request", NOBODY, NOBODY, 0, 0, "", "")
                : new RequestState(
                        "receive", matched.peer, matched.messageTag, matched.contextId, matched.messageBytes, "", "");
    }

    private static ReceiveOperation findMatched(Exchange exchange, Completion completion) {
        for (int i = 0; i < exchange.rendezvous.size(); i++) {
            if (exchange.rendezvous.get(i).completion == completion) {
                return exchange.rendezvous.get(i);
            }
        }
        ReceiveOperation[] found = new ReceiveOperation[1];
        exchange.rendezvous.asked.any(
                operation -> operation.completion == completion && (found[0] = operation) != null);
        return found[0];
    }

    static String text(Exchange exchange) {
        StringBuilder text = new StringBuilder(
                exchange.receiver + ", " + exchange.rendezvous + ", " + exchange.sender + ", " + exchange.persistent);
        for (Route route : exchange.routes) {
            text.append("\n  ").append(route);
        }
        return text.toString();
    }

    /** The oldest messages that no receive has matched, one line each. */
    public static List<String> unexpectedMessages(Exchange exchange, int most) {
        List<String> lines = new ArrayList<>();
        exchange.receiver.unexpected.forEach(waiting -> {
            if (lines.size() < most) {
                StoredMessage message = (StoredMessage) waiting;
                lines.add("from rank " + message.source + ", " + RequestState.envelope(message.tag, message.contextId)
                        + ", "
                        + message.bytes + " bytes, "
                        + (message.slots != null
                                ? "in a slot of a persistent route"
                                : message.rendezvous ? "by rendezvous" : "eager"));
            }
        });
        return lines;
    }
}
