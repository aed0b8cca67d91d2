package org.sluice.cli.top;

import java.util.List;
import org.sluice.device.layer.LayerActivity;
import org.sluice.hybrid.observe.DeviceReports;

/**
 * What one rank said of itself at one moment.
 *
 * @param nanos by this process's clock
 * @param unexpected messages that no receive has matched
 * @param waiting requests that are not over
 * @param sockets of all peers that are reached over TCP
 * @param activities what ranks do together
 */
record Sample(
        long nanos,
        long pid,
        int rank,
        int size,
        String job,
        int unexpected,
        int waiting,
        List<Peer> peers,
        Sockets sockets,
        List<LayerActivity> activities) {
    /**
     * Of one peer, or several of one channel: messages and bytes out and in since the device opened; sends to it and
     * receives from it that are not over; segments that TCP sent again.
     */
    record Peer(
            int rank,
            String channel,
            long sent,
            long received,
            long sentBytes,
            long receivedBytes,
            int unexpected,
            int waiting,
            long retransmits) {
        Peer plus(Peer other) {
            return new Peer(
                    rank,
                    channel,
                    sent + other.sent,
                    received + other.received,
                    sentBytes + other.sentBytes,
                    receivedBytes + other.receivedBytes,
                    unexpected + other.unexpected,
                    waiting + other.waiting,
                    retransmits + other.retransmits);
        }
    }

    /**
     * Writes to sockets since the device opened, the bytes that these took, how often one did not take all, and what
     * TCP sent again, which is {@link DeviceReports#UNKNOWN} without the native library.
     */
    record Sockets(long writes, long bytes, long stalls, long retransmits) {}

    boolean isOfSameDevice(Sample other) {
        return pid == other.pid && rank == other.rank && job.equals(other.job);
    }
}
