package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.IDLE;
import static org.sluice.bench.papers.Quantity.MB_PER_SECOND;
import static org.sluice.bench.papers.Quantity.ONE_WAY_US;
import static org.sluice.bench.papers.Quantity.OVERHEAD;
import static org.sluice.bench.papers.Quantity.SECONDS;
import static org.sluice.bench.papers.Quantity.SECONDS_SPEEDUP;
import static org.sluice.bench.papers.Quantity.STEP_MS;
import static org.sluice.bench.papers.Quantity.USEFUL;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluice.bench.papers.Panel.Look;

/** Those of paper C. */
final class CharmFigures {
    private static final String IN_THE_NODE = "Within one node, where the paper went over Gemini.";
    private static final String OPEN_MPI = "Open MPI";
    private static final String MPICH = "MPICH";

    private static final Figure C1 = new Figure(
            "C-1",
            "Ping-pong, one-way latency: the bare way, MPI, and messages that call handlers",
            "A mailbox in shared memory (limit) stands for uGNI; Sluice's handlers for Charm++.",
            List.of(new Panel(
                    "C-1-latency",
                    "Latency, one way",
                    "size",
                    Look.LOGARITHMIC,
                    List.of(
                            Curve.of("Sluice, handlers", "latency-shm", "handler", ONE_WAY_US),
                            Curve.of("limit", "latency-shm", "limit", ONE_WAY_US),
                            Curve.of(OPEN_MPI, "latency-shm", "openmpi", ONE_WAY_US),
                            Curve.of(MPICH, "latency-shm", "mpich", ONE_WAY_US)))),
            List.of());

    private static final Figure C8c = new Figure(
            "C-8c",
            "Ping-pong within a node: double copy, single copy, and delivery in place",
            "Double copy goes through a ring, single copy is the kernel's; message buffers lie in shared"
                    + " memory from the start.",
            List.of(new Panel(
                    "C-8c-latency",
                    "Latency, one way",
                    "size",
                    Look.LOGARITHMIC,
                    List.of(
                            Curve.of("Sluice, double copy", Runs.COPIES, "copied-twice", ONE_WAY_US),
                            Curve.of("Sluice, single copy", Runs.COPIES, "copied-once", ONE_WAY_US),
                            Curve.of("Sluice, message buffers", Runs.COPIES, "message", ONE_WAY_US),
                            Curve.of(OPEN_MPI, Runs.COPIES, "openmpi", ONE_WAY_US),
                            Curve.of(MPICH, Runs.COPIES, "mpich", ONE_WAY_US)))),
            List.of());

    private static final Figure C9a = new Figure(
            "C-9a",
            "One-way latency of message-driven and of blocking calls",
            IN_THE_NODE + " Each side sends from one buffer and receives"
                    + " into another; with one buffer it sends back what came.",
            List.of(new Panel(
                    "C-9a-latency",
                    "Latency, one way",
                    "size",
                    Look.LOGARITHMIC,
                    List.of(
                            Curve.of("Sluice, handlers", "latency-shm", "handler", ONE_WAY_US),
                            Curve.of("Sluice, send and receive", "latency-shm", "sluice", ONE_WAY_US),
                            Curve.of("Sluice, one buffer", "latency-shm", "one", ONE_WAY_US),
                            Curve.of("limit", "latency-shm", "limit", ONE_WAY_US),
                            Curve.of(OPEN_MPI, "latency-shm", "openmpi", ONE_WAY_US),
                            Curve.of(MPICH, "latency-shm", "mpich", ONE_WAY_US)))),
            List.of(new Figure.Number("Charm++ on uGNI, 8 B", "1.6 µs"), new Figure.Number("uGNI, 8 B", "1.2 µs")));

    private static final Figure C9b = new Figure(
            "C-9b",
            "Bandwidth of message-driven and of blocking calls",
            IN_THE_NODE,
            List.of(new Panel(
                    "C-9b-bandwidth",
                    "Bandwidth",
                    "size",
                    Look.LINEAR,
                    List.of(
                            Curve.of("Sluice, handlers", "bandwidth-shm", "handler", MB_PER_SECOND),
                            Curve.of("Sluice, send and receive", "bandwidth-shm", "sluice", MB_PER_SECOND),
                            Curve.of(OPEN_MPI, "bandwidth-shm", "openmpi", MB_PER_SECOND),
                            Curve.of(MPICH, "bandwidth-shm", "mpich", MB_PER_SECOND)))),
            List.of());

    private static final Figure C9c = new Figure(
            "C-9c",
            "One to all: rank 0 sends to each other rank, which acknowledges",
            "Eight ranks of one node, where the paper has 16 nodes. " + PaperRun.WITHOUT_SPINNING,
            List.of(answered("C-9c-one-to-all", "Time until all have answered", "one-to-all", Map.of())),
            List.of());

    private static final Figure C10 = new Figure(
            "C-10",
            "kNeighbor: each rank to and from its k neighbours on either side",
            "Ranks of one node share its cores, where the paper has three nodes and k = 1. The last chart"
                    + " has a message of 4 MB to one neighbour, for which the others must not wait. "
                    + PaperRun.WITHOUT_SPINNING,
            List.of(
                    answered("C-10-k1", "k = 1", "kneighbor", Map.of("k", "1")),
                    answered("C-10-k2", "k = 2", "kneighbor", Map.of("k", "2")),
                    answered("C-10-k3", "k = 3", "kneighbor", Map.of("k", "3")),
                    answered("C-10-huge", "Beside 4 MB to one neighbour", "kneighbor-huge", Map.of())),
            List.of(new Figure.Number("Charm++ on uGNI beside Charm++ on MPI", "half the time, even for 1 MB")));

    private CharmFigures() {}

    static List<Figure> all() {
        return List.of(
                C1, C8c, C9a, C9b, C9c, C10, queensSpeedup(), queensTimes(), queensShares(), bodies(), bodiesWeakly());
    }

    private static Panel answered(String id, String title, String run, Map<String, String> where) {
        List<Curve> curves = new ArrayList<>();
        Map<String, String> labels = Map.of(
                "sluice", "Sluice, requests", "handler", "Sluice, handlers", "openmpi", OPEN_MPI, "mpich", MPICH);
        for (String peer : List.of("handler", "sluice", "openmpi", "mpich")) {
            Curve curve = Curve.of(labels.get(peer), run, peer, ONE_WAY_US);
            for (Map.Entry<String, String> each : where.entrySet()) {
                curve = curve.where(each.getKey(), each.getValue());
            }
            curves.add(curve);
        }
        return new Panel(id, title, "size", Look.LOGARITHMIC, curves);
    }

    private static Figure queensSpeedup() {
        List<Curve> curves = new ArrayList<>();
        for (String channel : List.of("shm", "threads")) {
            curves.add(new Curve(
                            channel.equals("shm") ? "Sluice, 2 processes" : "Sluice, 2 threads",
                            List.of("nqueens"),
                            Map.of("channel", channel),
                            SECONDS_SPEEDUP)
                    .where("ranks", "2"));
        }
        return new Figure(
                "C-11",
                "N-Queens: speedup",
                "Two ranks over one, for several boards, where the paper has 17 queens on up to 3840 cores.",
                List.of(new Panel("C-11-speedup", "Speedup", "n", Look.BARS, curves)),
                List.of(
                        new Figure.Number("Charm++ on uGNI, 17 queens", "almost perfect up to 3840 cores"),
                        new Figure.Number("Charm++ on MPI, 17 queens", "stops at around 384 cores")));
    }

    private static Figure queensTimes() {
        List<Curve> curves = new ArrayList<>();
        for (String channel : List.of("shm", "threads")) {
            for (String ranks : List.of("1", "2")) {
                curves.add(new Curve(
                        "Sluice, " + ranks
                                + (channel.equals("shm")
                                        ? ranks.equals("1") ? " process" : " processes"
                                        : ranks.equals("1") ? " thread" : " threads"),
                        List.of("nqueens"),
                        Map.of("channel", channel, "ranks", ranks),
                        SECONDS));
            }
        }
        return new Figure(
                "C-T1",
                "N-Queens: time for several boards",
                "On the ranks that there are; the paper looks for the most cores that help.",
                List.of(new Panel("C-T1-seconds", "Seconds of a solution", "n", Look.LOGARITHMIC, curves)),
                List.of(
                        new Figure.Number("14 queens, Charm++ on uGNI, 256 cores", "0.005 s"),
                        new Figure.Number("14 queens, Charm++ on MPI, 48 cores", "0.02 s"),
                        new Figure.Number("15 queens, uGNI on 480, MPI on 120 cores", "0.007 s, 0.03 s"),
                        new Figure.Number("16 queens, uGNI on 1536, MPI on 384 cores", "0.014 s, 0.056 s"),
                        new Figure.Number("17 queens, uGNI on 3840, MPI on 1536 cores", "0.029 s, 0.19 s"),
                        new Figure.Number("18 queens, uGNI on 7680, MPI on 3840 cores", "0.09 s, 0.35 s"),
                        new Figure.Number("19 queens, uGNI on 15360, MPI on 7680 cores", "0.33 s, 1.42 s")));
    }

    private static Figure queensShares() {
        Map<String, String> where = Map.of("channel", "shm", "ranks", "2");
        List<String> runs = List.of("nqueens");
        return new Figure(
                "C-12",
                "N-Queens: where the time of ranks goes",
                "Sums over two processes; the paper has profiles over time.",
                List.of(new Panel(
                        "C-12-shares",
                        "Share of all ranks' time",
                        "n",
                        Look.BARS,
                        List.of(
                                new Curve("Sluice, useful", runs, where, USEFUL),
                                new Curve("Sluice, idle", runs, where, IDLE),
                                new Curve("Sluice, overhead", runs, where, OVERHEAD)))),
                List.of());
    }

    private static String bodyLabel(String api) {
        return api.equals("handler") ? "Sluice, handlers" : "Sluice, requests";
    }

    private static Figure bodies() {
        return new Figure(
                "C-T2",
                "Molecular dynamics: time of a step, message-driven and step by step",
                "A range-limited n-body with as many bodies as ApoA1 has atoms (1,500 with --quick) stands for NAMD: no"
                        + " long-range forces, and no objects that move. Requests stand for MPI.",
                List.of(new Panel(
                        "C-T2-step",
                        "Time of a step",
                        "ranks",
                        Look.BARS,
                        Runs.BODY_APIS.stream()
                                .map(api -> new Curve(bodyLabel(api), List.of(Runs.BODIES + api), Map.of(), STEP_MS))
                                .toList())),
                List.of(
                        new Figure.Number("ApoA1, 2 cores, Charm++ on uGNI and on MPI", "979 ms, 987 ms"),
                        new Figure.Number("ApoA1, 120 cores", "16.7 ms, 20.2 ms"),
                        new Figure.Number("ApoA1, 1920 cores", "2.7 ms, 3.3 ms")));
    }

    private static Figure bodiesWeakly() {
        List<Curve> curves = new ArrayList<>();
        for (String api : Runs.BODY_APIS) {
            for (String ranks : List.of("1", "2")) {
                curves.add(new Curve(
                        bodyLabel(api) + ", " + ranks + (ranks.equals("1") ? " process" : " processes"),
                        List.of(Runs.BODIES_WEAK + api),
                        Map.of("ranks", ranks),
                        STEP_MS));
            }
        }
        return new Figure(
                "C-13",
                "Molecular dynamics: weak scaling",
                "As many bodies for each process as IAPP (class W) and DHFR (class A) have atoms, where the paper has"
                        + " larger systems on more cores.",
                List.of(new Panel("C-13-step", "Time of a step", RunRecord.KERNEL, Look.BARS, curves)),
                List.of(new Figure.Number("Charm++ on uGNI beside Charm++ on MPI", "10 to 18 % less time")));
    }
}
