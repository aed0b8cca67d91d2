package org.sluice.bench.cold;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Medians over the starts of each contestant, as text, with the fastest and the slowest of them. */
final class ColdTable {
    private static final double MILLI = 1e6;

    private ColdTable() {}

    /** @param starts of one span, those of a contestant one behind the other */
    static String of(ColdSpan span, String iteration, List<ColdStart> starts) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "cold, %s: %s of fresh jobs, ms; medians, and the fastest and slowest start",
                span.bytes == 1 ? "1 B" : span.bytes / 1024 + " KB",
                iteration);
        line(
                text,
                "%-20s %10s %19s %12s %19s %7s",
                "",
                "first " + span.batch,
                "",
                "first " + span.iterations(),
                "",
                "starts");
        for (String peer : starts.stream().map(ColdStart::peer).distinct().toList()) {
            List<ColdStart> own =
                    starts.stream().filter(start -> start.peer().equals(peer)).toList();
            line(
                    text,
                    "%-20s %10.1f %19s %12.1f %19s %7d",
                    peer,
                    median(own, ColdStart::firstNs),
                    range(own, ColdStart::firstNs),
                    median(own, ColdStart::allNs),
                    range(own, ColdStart::allNs),
                    own.size());
        }
        return text.toString();
    }

    private static double median(List<ColdStart> starts, ToLongFunction<ColdStart> figure) {
        long[] sorted = starts.stream().mapToLong(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2 / MILLI;
    }

    private static String range(List<ColdStart> starts, ToLongFunction<ColdStart> figure) {
        long[] sorted = starts.stream().mapToLong(figure).sorted().toArray();
        return String.format(Locale.ROOT, "[%.1f %.1f]", sorted[0] / MILLI, sorted[sorted.length - 1] / MILLI);
    }

    private static void line(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing())
                .append(System.lineSeparator());
    }
}
