package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.GBPS;
import static org.sluice.bench.papers.Quantity.MOPS;
import static org.sluice.bench.papers.Quantity.ONE_WAY_US;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.papers.Panel.Look;

/** Those of paper B. */
final class IbdevFigures {
    private static final String IN_THE_NODE = "Within one node, where the paper went over InfiniBand.";
    private static final String OPEN_MPI = "Open MPI";
    private static final String UCX = "UCX by its Java interface";
    private static final String NIODEV = "MPJ Express, niodev";

    private static final List<Figure> POINT_TO_POINT = List.of(
            new Figure(
                    "B-2",
                    "Latency of message-passing libraries, and what a buffering layer costs",
                    IN_THE_NODE + " MPJ Express's calls without its buffering layer are those of Sluice's dialect.",
                    List.of(new Panel(
                            "B-2-latency",
                            "Latency, one way",
                            "size",
                            Look.LOGARITHMIC,
                            List.of(
                                    Curve.of("Sluice, arrays", "latency-shm", "sluice", ONE_WAY_US),
                                    Curve.of("Sluice, MPJ Express's calls", "latency-shm", "mpijava", ONE_WAY_US),
                                    Curve.of("Sluice, direct buffers", "latency-shm", "direct", ONE_WAY_US),
                                    Curve.of("Sluice, message buffers", "latency-shm", "message", ONE_WAY_US),
                                    Curve.of("Sluice, packed at both ends", "latency-shm", "packed", ONE_WAY_US),
                                    Curve.of(OPEN_MPI, "latency-shm", "openmpi", ONE_WAY_US),
                                    Curve.of(UCX, "latency-shm", "jucx", ONE_WAY_US),
                                    Curve.of(NIODEV, "latency-shm", "mpj-express-niodev", ONE_WAY_US)))),
                    List.of(
                            new Figure.Number("Open MPI, 1 B", "6 µs"),
                            new Figure.Number("ibdev, 1 B", "28 µs (27 µs in the conclusions)"),
                            new Figure.Number("ibdev without the buffering layer, 1 B", "8 µs"),
                            new Figure.Number("niodev over IPoIB, 1 B", "80 µs (51 µs in the conclusions)"),
                            new Figure.Number("niodev over SDP, 1 B", "300 µs"))),
            new Figure(
                    "B-3",
                    "Bandwidth of message-passing libraries",
                    IN_THE_NODE,
                    List.of(new Panel(
                            "B-3-bandwidth",
                            "Bandwidth",
                            "size",
                            Look.LINEAR,
                            List.of(
                                    Curve.of("Sluice, arrays", "bandwidth-shm", "sluice", GBPS),
                                    Curve.of("Sluice, direct buffers", "bandwidth-shm", "direct", GBPS),
                                    Curve.of("Sluice, message buffers", "bandwidth-shm", "message", GBPS),
                                    Curve.of(OPEN_MPI, "bandwidth-shm", "openmpi", GBPS),
                                    Curve.of(UCX, "bandwidth-shm", "jucx", GBPS),
                                    Curve.of(NIODEV, "bandwidth-shm", "mpj-express-niodev", GBPS)))),
                    List.of(
                            new Figure.Number("ibdev, 2 MB", "16 Gbit/s"),
                            new Figure.Number("niodev over SDP, peak", "7.4 Gbit/s"),
                            new Figure.Number("niodev over IPoIB, 2 MB", "1.1 Gbit/s"),
                            new Figure.Number("Open MPI, 8 MB", "26 Gbit/s"))));

    private IbdevFigures() {}

    static List<Figure> all() {
        List<Figure> figures = new ArrayList<>(POINT_TO_POINT);
        Map<String, String> kernels = Map.of("B-4", "cg", "B-5", "ft", "B-6", "is");
        for (String id : List.of("B-4", "B-5", "B-6")) {
            String kernel = kernels.get(id);
            figures.add(new Figure(
                    id,
                    kernel.toUpperCase(Locale.ROOT) + " in millions of operations a second, over ranks",
                    "Class W on 1 and 2 ranks of one node (class S with --quick), where the paper has class C over"
                            + " InfiniBand.",
                    List.of(new Panel(
                            id + "-" + kernel,
                            "Operations",
                            "ranks",
                            Look.BARS,
                            List.of(
                                    Curve.of("Sluice, processes", kernel, "sluice", MOPS)
                                            .where("channel", "shm"),
                                    Curve.of("Sluice, threads", kernel, "sluice", MOPS)
                                            .where("channel", "threads")))),
                    id.equals("B-5")
                            ? List.of(
                                    new Figure.Number("FT, ibdev beside niodev over IPoIB", "almost 2.5 times"),
                                    new Figure.Number("FT, ibdev beside niodev over SDP", "1.5 times"))
                            : List.of()));
        }
        return figures;
    }
}
