package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.MB_PER_SECOND;
import static org.sluice.bench.papers.Quantity.NANOSECONDS;
import static org.sluice.bench.papers.Quantity.ROUND_TRIP_US;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sluice.bench.breakdown.Part;
import org.sluice.bench.papers.Panel.Look;

/** Those of paper E. */
final class JaviaFigures {
    private static final String SHARED =
            "In shared memory, where the paper had an adapter: a mailbox (limit) stands for the raw"
                    + " library, arrays are copied, direct buffers are what was pinned, and message buffers are"
                    + " explicit"
                    + " buffers.";

    private static final Figure E1 = new Figure(
            "E-1",
            "Round-trip latency: raw, copied, and pinned on the fly",
            SHARED,
            List.of(new Panel(
                    "E-1-latency",
                    "Round trip",
                    "size",
                    Look.LOGARITHMIC,
                    List.of(
                            Curve.of("Sluice, arrays", "latency-shm", "sluice", ROUND_TRIP_US),
                            Curve.of("Sluice, direct buffers", "latency-shm", "direct", ROUND_TRIP_US),
                            Curve.of("limit", "latency-shm", "limit", ROUND_TRIP_US)))),
            List.of(
                    new Figure.Number("raw VIA, 4 B", "18 µs"),
                    new Figure.Number("Javia-I with copies, 4 B", "22 µs"),
                    new Figure.Number("Javia-I, pinned for each message, 4 B", "32 µs")));

    private static final Figure E2 = new Figure(
            "E-2",
            "Bandwidth: raw, copied, and pinned on the fly",
            SHARED,
            List.of(new Panel(
                    "E-2-bandwidth",
                    "Bandwidth",
                    "size",
                    Look.LINEAR,
                    List.of(
                            Curve.of("Sluice, arrays", "bandwidth-shm", "sluice", MB_PER_SECOND),
                            Curve.of("Sluice, direct buffers", "bandwidth-shm", "direct", MB_PER_SECOND),
                            Curve.of("limit", "bandwidth-shm", "limit", MB_PER_SECOND)))),
            List.of(new Figure.Number("pinning pays from", "7000 B")));

    private static final Figure E3 = new Figure(
            "E-3",
            "Round-trip latency with explicit buffers",
            SHARED,
            List.of(new Panel(
                    "E-3-latency",
                    "Round trip",
                    "size",
                    Look.LOGARITHMIC,
                    List.of(
                            Curve.of("Sluice, message buffers", "latency-shm", "message", ROUND_TRIP_US),
                            Curve.of("Sluice, arrays", "latency-shm", "sluice", ROUND_TRIP_US),
                            Curve.of("limit", "latency-shm", "limit", ROUND_TRIP_US)))),
            List.of());

    private static final Figure E4 = new Figure(
            "E-4",
            "Bandwidth with explicit buffers",
            SHARED,
            List.of(new Panel(
                    "E-4-bandwidth",
                    "Bandwidth",
                    "size",
                    Look.LINEAR,
                    List.of(
                            Curve.of("Sluice, message buffers", "bandwidth-shm", "message", MB_PER_SECOND),
                            Curve.of("Sluice, arrays", "bandwidth-shm", "sluice", MB_PER_SECOND),
                            Curve.of("limit", "bandwidth-shm", "limit", MB_PER_SECOND)))),
            List.of());

    private static final Figure E3_2 = new Figure(
            "E-3.2",
            "Where the time goes: the channel over verbs without an adapter",
            "Over a simulated library, so without an adapter's own time. Sections 3.2 and 4.2 say it in" + " words.",
            List.of(new Panel(
                    "E-3.2-channel",
                    "A message of 8 B in the channel, one way",
                    "benchmark",
                    Look.BARS,
                    List.of(new Curve("Sluice", List.of("ib-channel"), Map.of(), NANOSECONDS)))),
            List.of(
                    new Figure.Number("Javia-I beside raw VIA, round trip", "4 µs more"),
                    new Figure.Number("pinning a buffer", "about 10 µs")));

    private static final Figure E2_2 = new Figure(
            "E-2.2",
            "Where the time goes: each part by itself",
            "On this machine, in Java of today. Section 2.2 has two of them in words.",
            List.of(new Panel("E-2.2-parts", "What each takes", "size", Look.BARS, parts())),
            List.of(
                    new Figure.Number("a null native method (Marmot, 300 MHz)", "0.27 µs"),
                    new Figure.Number("a lock, taken and given back (Marmot)", "1.2 µs"),
                    new Figure.Number("the same (Visual J++)", "0.4 µs")));

    private JaviaFigures() {}

    private static List<Curve> parts() {
        return Arrays.stream(Part.values())
                .map(part -> new Curve(part.label(), List.of("breakdown"), Map.of("part", part.label()), NANOSECONDS))
                .toList();
    }

    static List<Figure> all() {
        return List.of(E1, E2, E3, E4, E2_2, E3_2);
    }
}
