package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.MB_PER_SECOND;
import static org.sluice.bench.papers.Quantity.MEGABYTES;
import static org.sluice.bench.papers.Quantity.ONE_WAY_US;
import static org.sluice.bench.papers.Quantity.THOUSANDS_PER_SECOND;

import java.util.List;
import org.sluice.bench.memory.MemoryBench;
import org.sluice.bench.papers.Panel.Look;

/** Those of all papers that need an adapter. */
final class VerbsFigures {
    private static final String IN_A_GUEST = "In one guest with an adapter in software, on an emulated processor if the"
            + " machine has no better: what contestants take beside each other counts, not the times.";

    private static final Figure A10 = new Figure(
            "A-10",
            "Point-to-point performance over InfiniBand: latency and bandwidth",
            IN_A_GUEST + " perftest stands for the bare adapter.",
            List.of(
                    new Panel(
                            "A-10-latency",
                            "Latency, one way",
                            "size",
                            Look.LOGARITHMIC,
                            List.of(
                                    Curve.of("Sluice, arrays", Runs.LATENCY_IB, "sluice", ONE_WAY_US),
                                    Curve.of("Sluice, message buffers", Runs.LATENCY_IB, "message", ONE_WAY_US),
                                    Curve.of("Sluice, handlers", Runs.LATENCY_IB, "handler", ONE_WAY_US),
                                    Curve.of("perftest", Runs.LATENCY_IB, "perftest", ONE_WAY_US))),
                    new Panel(
                            "A-10-bandwidth",
                            "Bandwidth",
                            "size",
                            Look.LINEAR,
                            List.of(
                                    Curve.of("Sluice, arrays", Runs.BANDWIDTH_IB, "sluice", MB_PER_SECOND),
                                    Curve.of("Sluice, message buffers", Runs.BANDWIDTH_IB, "message", MB_PER_SECOND),
                                    Curve.of("perftest", Runs.BANDWIDTH_IB, "perftest", MB_PER_SECOND)))),
            List.of());

    private static final Figure C4 = rendezvous(
            "C-4",
            "Long messages that their receiver reads, and that their sender writes",
            curve("read by the receiver", "rendezvous-read"),
            curve("written by the sender", "rendezvous-write"));

    private static final Figure C8a = rendezvous(
            "C-8a",
            "Persistent messages: memory on both sides known beforehand",
            curve("persistent routes", "route"),
            curve("message buffers", "sluice"));

    private static final Figure C8b = rendezvous(
            "C-8b",
            "Memory out of a registered pool",
            curve("with the pool", "sluice"),
            curve("without it", "no-pool"));

    private static final Figure D1 = new Figure(
            "D-1",
            "Memory of a process over its connections",
            IN_A_GUEST
                    + " Heap, native memory, queues and the kernel's part, above what a rank has without connections.",
            List.of(new Panel("D-1-memory", "Memory of connections", RunRecord.CONNECTIONS, Look.LINEAR, windows())),
            List.of());

    private static final Figure D2 = new Figure(
            "D-2",
            "Message rate with few and many send work requests, without coalescing",
            IN_A_GUEST,
            List.of(new Panel(
                    "D-2-rate",
                    "Rate in windows of 64",
                    "size",
                    Look.LINEAR,
                    List.of(
                            requests(200, "-separate", "without coalescing"),
                            requests(8, "-separate", "without coalescing")))),
            List.of());

    private static final Figure D4 = new Figure(
            "D-4",
            "Message rate with few send work requests, with coalescing",
            IN_A_GUEST + " Without its tag cache each message brings its whole envelope.",
            List.of(new Panel(
                    "D-4-rate",
                    "Rate in windows of 64",
                    "size",
                    Look.LINEAR,
                    List.of(
                            requests(8, "", "coalescing"),
                            requests(8, "-whole", "coalescing without a tag cache"),
                            requests(8, "-separate", "without coalescing"),
                            requests(200, "-separate", "without coalescing")))),
            List.of(new Figure.Number("8 requests with coalescing beside 200 without, small messages", "2.5 times")));

    private VerbsFigures() {}

    private static Figure rendezvous(String id, String title, Curve... curves) {
        Panel panel = new Panel(id + "-latency", "Latency, one way", "size", Look.LOGARITHMIC, List.of(curves));
        return new Figure(id, title, IN_A_GUEST, List.of(panel), List.of());
    }

    private static Curve curve(String label, String peer) {
        return Curve.of("Sluice, " + label, Runs.RENDEZVOUS, peer, ONE_WAY_US);
    }

    private static Curve requests(int number, String ending, String how) {
        return Curve.of(
                "Sluice, " + number + " requests, " + how,
                Runs.COALESCING,
                "sluice-" + number + ending,
                THOUSANDS_PER_SECOND);
    }

    private static List<Curve> windows() {
        return MemoryBench.WINDOWS.stream()
                .map(window -> Curve.of("Sluice, " + window + " send work requests", Runs.MEMORY, "sluice", MEGABYTES)
                        .where("window", Integer.toString(window)))
                .toList();
    }

    static List<Figure> all() {
        return List.of(A10, C4, C8a, C8b, D1, D2, D4);
    }
}
