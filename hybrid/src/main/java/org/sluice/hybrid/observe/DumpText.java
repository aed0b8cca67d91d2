package org.sluice.hybrid.observe;

import org.sluice.device.layer.LayerActivity;
import org.sluice.hybrid.request.RequestState;

/** A device's state as people read it: first what waits for whom. */
public final class DumpText {
    /** As ./sluice top shows. */
    private static final int JOB_DIGITS = 8;

    private DumpText() {}

    /** @param reason why it is written, as a clause */
    public static String of(DeviceState state, String reason) {
        StringBuilder text = new StringBuilder("sluice: state of rank " + state.rank() + " of " + state.size()
                + ", process " + ProcessHandle.current().pid() + ", job "
                + state.job().substring(0, Math.min(JOB_DIGITS, state.job().length())) + ", as " + reason + "\n");
        if (state.isComplete()) {
            requests(text, state);
            unexpected(text, state);
        } else {
            text.append("  one thread has had the progress lock all the time: what waits can't be told; jcmd PID"
                    + " Thread.print shows where that thread is\n");
        }
        activities(text, state);
        for (PeerState peer : state.peers()) {
            peer(text, peer);
        }
        state.channels()
                .forEach((name, counters) -> text.append("  channel ")
                        .append(name)
                        .append(": ")
                        .append(counters)
                        .append('\n'));
        state.channelStates()
                .forEach(channel -> text.append("  ").append(channel).append('\n'));
        return text.append("sluice: end of the state of rank ")
                .append(state.rank())
                .append('\n')
                .toString();
    }

    private static void activities(StringBuilder text, DeviceState state) {
        for (LayerActivity each : state.activities()) {
            if (each.turn() > 0) {
                text.append("  collective: ").append(each.call()).append(" of ").append(each.name());
                text.append(", as rank ").append(each.rank()).append(" of ").append(each.size());
                text.append(", call ").append(each.turn()).append(" there\n");
            }
        }
    }

    private static void requests(StringBuilder text, DeviceState state) {
        text.append("  requests that wait: ").append(state.waiting()).append('\n');
        for (RequestState request : state.requests()) {
            text.append("    ").append(request.text()).append('\n');
        }
        more(text, state.waiting() - state.requests().size());
    }

    private static void unexpected(StringBuilder text, DeviceState state) {
        text.append("  messages that no receive has matched: ")
                .append(state.unexpected())
                .append('\n');
        for (String message : state.unexpectedMessages()) {
            text.append("    ").append(message).append('\n');
        }
        more(text, state.unexpected() - state.unexpectedMessages().size());
    }

    private static void more(StringBuilder text, int left) {
        if (left > 0) {
            text.append("    and ").append(left).append(" more\n");
        }
    }

    private static void peer(StringBuilder text, PeerState peer) {
        text.append("  rank ")
                .append(peer.getRank())
                .append(" by ")
                .append(peer.getChannel())
                .append(" (")
                .append(peer.getLocality())
                .append("): sent ")
                .append(peer.getSentMessages())
                .append(" messages of ")
                .append(peer.getSentBytes())
                .append(" bytes, ")
                .append(peer.getReceivedMessages())
                .append(" of ")
                .append(peer.getReceivedBytes())
                .append(" bytes have come, ")
                .append(peer.getUnexpectedMessages())
                .append(" unmatched; ")
                .append(peer.getWaitingSends())
                .append(" sends wait; it has room for ")
                .append(peer.getEagerBytesLeft())
                .append(" eager bytes")
                .append(peer.getFailure().isEmpty() ? "" : "; failed: " + peer.getFailure())
                .append('\n');
    }
}
