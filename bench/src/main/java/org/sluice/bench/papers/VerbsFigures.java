package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.CONNECTIONS;
import static org.sluice.bench.papers.Quantity.KERNEL_SECONDS;
import static org.sluice.bench.papers.Quantity.KILOBYTES;
import static org.sluice.bench.papers.Quantity.MB_PER_SECOND;
import static org.sluice.bench.papers.Quantity.MEGABYTES;
import static org.sluice.bench.papers.Quantity.ONE_WAY_US;
import static org.sluice.bench.papers.Quantity.THOUSANDS_PER_SECOND;

import java.util.List;
import org.sluice.bench.contestant.SluiceRequests;
import org.sluice.bench.memory.MemoryBench;
import org.sluice.bench.papers.Panel.Look;
import org.sluice.bench.plan.Sizes;

/** Those of all papers that need an adapter. */
final class VerbsFigures {
    private static final String IN_A_GUEST = "In one guest with an adapter in software, on an emulated processor if the"
            + " machine has no better: what contestants take beside each other counts, not the times.";

    private static final String WINDOWS = "In windows of 64";
    private static final String SEPARATE = SluiceRequests.SEPARATE;
    private static final String ALONE = "without coalescing";

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

    private static final Figure A445 = new Figure(
            "A-4.4.5",
            "The pin-down cache, over how often a buffer is used again",
            IN_A_GUEST + " Direct buffers in a ring that is larger than the cache. The section says it in words.",
            List.of(reuse("64k"), reuse("1m")),
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

    private static final Figure DT1 = new Figure(
            "D-T1",
            "Average number of connections of a process, by kernel",
            "Class S on 16 ranks of this machine over TCP, which makes connections when they are first used, as verbs"
                    + " does; the paper has 64 processes. With those of the collectives that a job begins and"
                    + " ends with.",
            List.of(new Panel(
                    "D-T1-connections",
                    "Connections of a rank",
                    RunRecord.KERNEL,
                    Look.BARS,
                    List.of(Curve.of("Sluice", Runs.CONNECTIONS, "sluice", CONNECTIONS)
                            .where("ranks", "16")))),
            List.of(
                    new Figure.Number("CG, 64 processes", "6.98"),
                    new Figure.Number("FT and IS, 64 processes", "63"),
                    new Figure.Number("LU, 64 processes", "7.5"),
                    new Figure.Number("MG, 64 processes", "9")));

    private static final Figure DT2 = new Figure(
            "D-T2",
            "Memory of each further connection, by send work requests",
            IN_A_GUEST
                    + " By the line through the readings of D-1. The machine's own part is that of connections with"
                    + " nothing on top: the adapter's driver keeps queues in memory of the kernel, as drivers of"
                    + " hardware do in the process.",
            List.of(new Panel(
                    "D-T2-connection",
                    "Memory of a connection",
                    RunRecord.WINDOW,
                    Look.BARS,
                    List.of(
                            Curve.of("Sluice", Runs.MEMORY, "sluice", KILOBYTES),
                            Curve.of("connections with nothing on top", Runs.MEMORY, "limit", KILOBYTES)))),
            List.of(
                    new Figure.Number("5 send work requests", "8.82 KB"),
                    new Figure.Number("10", "12.82 KB"),
                    new Figure.Number("20", "20.81 KB"),
                    new Figure.Number("40", "36.86 KB"),
                    new Figure.Number("100", "68.73 KB"),
                    new Figure.Number("200", "132.76 KB")));

    private static final Figure D2 = new Figure(
            "D-2",
            "Message rate with few and many send work requests, without coalescing",
            IN_A_GUEST,
            List.of(new Panel(
                    "D-2-rate",
                    WINDOWS,
                    "size",
                    Look.LINEAR,
                    List.of(requests(200, SEPARATE, ALONE), requests(8, SEPARATE, ALONE)))),
            List.of());

    private static final Figure D4 = new Figure(
            "D-4",
            "Message rate with few send work requests, with coalescing",
            IN_A_GUEST + " Without its tag cache each message brings its whole envelope.",
            List.of(new Panel(
                    "D-4-rate",
                    WINDOWS,
                    "size",
                    Look.LINEAR,
                    List.of(
                            requests(8, "", "coalescing"),
                            requests(8, SluiceRequests.WHOLE, "coalescing without a tag cache"),
                            requests(8, SEPARATE, ALONE),
                            requests(200, SEPARATE, ALONE)))),
            List.of(new Figure.Number("8 requests with coalescing beside 200 without, small messages", "2.5 times")));

    private static final Figure D3 = new Figure(
            "D-3",
            "Bandwidth with few and many send work requests, without coalescing",
            IN_A_GUEST,
            List.of(new Panel(
                    "D-3-bandwidth",
                    WINDOWS,
                    "size",
                    Look.LINEAR,
                    List.of(bandwidth(200, SEPARATE, ALONE), bandwidth(8, SEPARATE, ALONE)))),
            List.of());

    private static final Figure D5 = new Figure(
            "D-5",
            "Bandwidth with few send work requests, with coalescing",
            IN_A_GUEST,
            List.of(new Panel(
                    "D-5-bandwidth",
                    WINDOWS,
                    "size",
                    Look.LINEAR,
                    List.of(
                            bandwidth(8, "", "coalescing"),
                            bandwidth(8, SEPARATE, ALONE),
                            bandwidth(200, SEPARATE, ALONE)))),
            List.of());

    private static final Figure D6 = new Figure(
            "D-6",
            "Kernels with few send work requests and coalescing, and with many",
            IN_A_GUEST + " Class S on two ranks, which is over in no time.",
            List.of(new Panel(
                    "D-6-kernels",
                    "Seconds",
                    RunRecord.KERNEL,
                    Look.BARS,
                    List.of(kernel(5, "", "coalescing"), kernel(10, "", "coalescing"), kernel(200, SEPARATE, ALONE)))),
            List.of());

    private VerbsFigures() {}

    private static Panel reuse(String size) {
        return new Panel(
                "A-4.4.5-" + size,
                "Messages of " + size + ", one way",
                RunRecord.USES,
                Look.LINEAR,
                List.of(reuse("it stays registered", "sluice", size), reuse("registered for each", "no-cache", size)));
    }

    private static Curve reuse(String how, String peer, String size) {
        return Curve.of("Sluice, " + how, Runs.REUSE, peer, ONE_WAY_US)
                .where("size", Long.toString(Sizes.parse(size).get(0)));
    }

    private static Figure rendezvous(String id, String title, Curve... curves) {
        Panel panel = new Panel(id + "-latency", "Latency, one way", "size", Look.LOGARITHMIC, List.of(curves));
        return new Figure(id, title, IN_A_GUEST, List.of(panel), List.of());
    }

    private static Curve curve(String label, String peer) {
        return Curve.of("Sluice, " + label, Runs.RENDEZVOUS, peer, ONE_WAY_US);
    }

    private static Curve requests(int number, String ending, String how) {
        return Curve.of(label(number, how), Runs.COALESCING, "sluice-" + number + ending, THOUSANDS_PER_SECOND);
    }

    private static Curve bandwidth(int number, String ending, String how) {
        return Curve.of(label(number, how), Runs.COALESCING_BANDWIDTH, "sluice-" + number + ending, MB_PER_SECOND);
    }

    private static Curve kernel(int number, String ending, String how) {
        return Curve.of(label(number, how), Runs.KERNELS_IB, "sluice-" + number + ending, KERNEL_SECONDS);
    }

    private static String label(int number, String how) {
        return "Sluice, " + number + " requests, " + how;
    }

    private static List<Curve> windows() {
        return MemoryBench.WINDOWS.stream()
                .map(window -> Curve.of("Sluice, " + window + " send work requests", Runs.MEMORY, "sluice", MEGABYTES)
                        .where("window", Integer.toString(window)))
                .toList();
    }

    static List<Figure> all() {
        return List.of(A445, A10, C4, C8a, C8b, D1, DT1, DT2, D2, D3, D4, D5, D6);
    }
}
