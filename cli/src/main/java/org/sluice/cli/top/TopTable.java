package org.sluice.cli.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Two samples of each rank as rates, a row for each rank and channel or peer. <i>Proof</i>: {@code TopTableTest}. */
final class TopTable {
    private static final String ROW = "%5s %8s  %-9s %5s %11s %11s %11s %11s %10s %8s%n";
    private static final int JOB_DIGITS = 8;
    static final double NANOS = 1e9;
    private static final String[] UNITS = {"", "k", "M", "G", "T"};
    private static final int STEP = 1000;

    private final boolean peersToo;

    /** @param peersToo a row for each peer, else one for each channel */
    TopTable(boolean peersToo) {
        this.peersToo = peersToo;
    }

    /** @param before of the same devices; those that it hasn't have no rates yet */
    String of(List<Sample> before, List<Sample> now) {
        StringBuilder text = new StringBuilder();
        Map<String, List<Sample>> jobs = new TreeMap<>();
        now.forEach(sample ->
                jobs.computeIfAbsent(sample.job(), job -> new ArrayList<>()).add(sample));
        jobs.forEach((job, ranks) -> {
            ranks.sort(Comparator.comparingInt(Sample::rank));
            text.append(String.format(
                    Locale.ROOT,
                    "job %s: %d of %d ranks are here%n",
                    job.substring(0, Math.min(JOB_DIGITS, job.length())),
                    ranks.size(),
                    ranks.get(0).size()));
            text.append(String.format(
                    Locale.ROOT,
                    ROW,
                    "rank",
                    "pid",
                    "channel",
                    "peer",
                    "msgs out/s",
                    "msgs in/s",
                    "bytes out/s",
                    "bytes in/s",
                    "unexpected",
                    "waiting"));
            for (Sample sample : ranks) {
                Sample last = before.stream()
                        .filter(sample::isOfSameDevice)
                        .findFirst()
                        .orElse(null);
                rows(text, last, sample);
            }
            List<Sample> ofJob =
                    before.stream().filter(each -> each.job().equals(job)).toList();
            SocketRates.of(ofJob, ranks).forEach(line -> text.append(line).append(System.lineSeparator()));
            StuckCollectives.of(ofJob, ranks).forEach(line -> text.append(line).append(System.lineSeparator()));
        });
        return text.toString();
    }

    private void rows(StringBuilder text, Sample last, Sample now) {
        boolean first = true;
        for (Sample.Peer peer : shown(now)) {
            Sample.Peer peerBefore = last == null
                    ? null
                    : shown(last).stream()
                            .filter(other -> isSame(peer, other))
                            .findFirst()
                            .orElse(null);
            double seconds = last == null ? 0 : (now.nanos() - last.nanos()) / NANOS;
            String[] rates = rates(peerBefore, peer, seconds);
            // What is of no peer in particular stands in the rank's first row.
            String unexpected =
                    peersToo ? Integer.toString(peer.unexpected()) : first ? Integer.toString(now.unexpected()) : "";
            String waiting = peersToo
                    ? peer.waiting() + (first ? fromAny(now) : "")
                    : first ? Integer.toString(now.waiting()) : "";
            text.append(String.format(
                    Locale.ROOT,
                    ROW,
                    now.rank(),
                    now.pid(),
                    peer.channel(),
                    peersToo ? Integer.toString(peer.rank()) : "all",
                    rates[0],
                    rates[1],
                    rates[2],
                    rates[3],
                    unexpected,
                    waiting));
            first = false;
        }
    }

    /** Receives that name no peer, where there are some. */
    private static String fromAny(Sample sample) {
        int any = sample.waiting()
                - sample.peers().stream().mapToInt(Sample.Peer::waiting).sum();
        return any > 0 ? " + " + any + " any" : "";
    }

    private boolean isSame(Sample.Peer one, Sample.Peer other) {
        return one.channel().equals(other.channel()) && (!peersToo || one.rank() == other.rank());
    }

    private List<Sample.Peer> shown(Sample sample) {
        if (peersToo) {
            return sample.peers();
        }
        Map<String, Sample.Peer> channels = new TreeMap<>();
        sample.peers().forEach(peer -> channels.merge(peer.channel(), peer, Sample.Peer::plus));
        return new ArrayList<>(channels.values());
    }

    private static String[] rates(Sample.Peer before, Sample.Peer now, double seconds) {
        if (before == null || seconds <= 0) {
            return new String[] {"-", "-", "-", "-"};
        }
        return new String[] {
            rate((now.sent() - before.sent()) / seconds),
            rate((now.received() - before.received()) / seconds),
            rate((now.sentBytes() - before.sentBytes()) / seconds),
            rate((now.receivedBytes() - before.receivedBytes()) / seconds)
        };
    }

    static String rate(double value) {
        double shown = value;
        int unit = 0;
        while (shown >= STEP && unit < UNITS.length - 1) {
            shown /= STEP;
            unit++;
        }
        return unit == 0 ? Long.toString(Math.round(shown)) : String.format(Locale.ROOT, "%.1f%s", shown, UNITS[unit]);
    }
}
