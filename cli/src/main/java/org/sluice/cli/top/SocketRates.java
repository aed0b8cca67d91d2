package org.sluice.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What ranks that are reached over TCP had their kernels do. <i>Proof</i>: {@code TopTableTest}. */
final class SocketRates {
    private static final String CHANNEL = "tcp";

    private SocketRates() {}

    /**
     * A line for each rank that has written to sockets since.
     *
     * @param before and now, of ranks of one job
     */
    static List<String> of(List<Sample> before, List<Sample> now) {
        List<String> lines = new ArrayList<>();
        for (Sample sample : now) {
            before.stream()
                    .filter(sample::isOfSameDevice)
                    .filter(last -> last.sockets().writes() != sample.sockets().writes())
                    .findFirst()
                    .ifPresent(last -> lines.add(line(last, sample)));
        }
        return lines;
    }

    private static String line(Sample last, Sample now) {
        double seconds = (now.nanos() - last.nanos()) / TopTable.NANOS;
        long writes = now.sockets().writes() - last.sockets().writes();
        long messages = messages(now) - messages(last);
        return String.format(
                Locale.ROOT,
                "tcp of rank %d: %s writes/s%s, %s bytes/s with headers, %s stalls/s",
                now.rank(),
                TopTable.rate(writes / seconds),
                // What only answers writes without a message of its own.
                messages == 0 ? "" : String.format(Locale.ROOT, ", %.2f for each message", (double) writes / messages),
                TopTable.rate((now.sockets().bytes() - last.sockets().bytes()) / seconds),
                TopTable.rate((now.sockets().stalls() - last.sockets().stalls()) / seconds));
    }

    private static long messages(Sample sample) {
        return sample.peers().stream()
                .filter(peer -> peer.channel().equals(CHANNEL))
                .mapToLong(Sample.Peer::sent)
                .sum();
    }
}
