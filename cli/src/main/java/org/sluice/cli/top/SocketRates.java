package org.sluice.cli.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluice.hybrid.observe.DeviceReports;

/** What ranks that are reached over TCP had their kernels do. <i>Proof</i>: {@code TopTableTest}. */
final class SocketRates {
    private static final String CHANNEL = "tcp";
    /** So many peers at most. */
    private static final int NAMED = 4;

    private SocketRates() {}

    /**
     * A line for each rank that has written to sockets since, or whose kernel has sent something again.
     *
     * @param before and now, of ranks of one job
     */
    static List<String> of(List<Sample> before, List<Sample> now) {
        List<String> lines = new ArrayList<>();
        for (Sample sample : now) {
            before.stream()
                    .filter(sample::isOfSameDevice)
                    .filter(last -> last.sockets().writes() != sample.sockets().writes()
                            || last.sockets().retransmits() != sample.sockets().retransmits())
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
                "tcp of rank %d: %s writes/s%s, %s bytes/s with headers, %s stalls/s, %s",
                now.rank(),
                TopTable.rate(writes / seconds),
                // What only answers writes without a message of its own.
                messages == 0 ? "" : String.format(Locale.ROOT, ", %.2f for each message", (double) writes / messages),
                TopTable.rate((now.sockets().bytes() - last.sockets().bytes()) / seconds),
                TopTable.rate((now.sockets().stalls() - last.sockets().stalls()) / seconds),
                retransmits(last, now, seconds));
    }

    /** With those peers to whom there were most. */
    private static String retransmits(Sample last, Sample now, double seconds) {
        if (now.sockets().retransmits() == DeviceReports.UNKNOWN) {
            return "retransmits unknown";
        }
        Map<Integer, Long> before =
                last.peers().stream().collect(Collectors.toMap(Sample.Peer::rank, Sample.Peer::retransmits));
        Map<Integer, Long> since = new HashMap<>();
        now.peers().forEach(peer -> since.put(peer.rank(), peer.retransmits() - before.getOrDefault(peer.rank(), 0L)));
        String worst = since.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .sorted(Map.Entry.<Integer, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(NAMED)
                .map(each -> "to " + each.getKey() + ": " + TopTable.rate(each.getValue() / seconds))
                .collect(Collectors.joining(", "));
        double all = (now.sockets().retransmits() - last.sockets().retransmits()) / seconds;
        return TopTable.rate(all) + " retransmits/s" + (worst.isEmpty() ? "" : " (" + worst + ")");
    }

    private static long messages(Sample sample) {
        return sample.peers().stream()
                .filter(peer -> peer.channel().equals(CHANNEL))
                .mapToLong(Sample.Peer::sent)
                .sum();
    }
}
