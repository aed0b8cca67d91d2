package org.sluice.bench.papers;

import static org.sluice.bench.papers.Quantity.AGGREGATED_MBS;
import static org.sluice.bench.papers.Quantity.GBPS;
import static org.sluice.bench.papers.Quantity.MOPS;
import static org.sluice.bench.papers.Quantity.MOPS_SPEEDUP;
import static org.sluice.bench.papers.Quantity.ONE_WAY_US;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.sluice.bench.papers.Panel.Look;

/** Those of paper A. */
final class IbvdevFigures {
    private static final String OPEN_MPI = "Open MPI";
    private static final String MPICH = "MPICH";
    private static final String NIODEV = "MPJ Express, niodev";

    private static final Figure A11 = new Figure(
            "A-11",
            "Point-to-point performance on shared memory: latency and bandwidth",
            "Processes and threads of one node.",
            List.of(
                    new Panel(
                            "A-11-latency",
                            "Latency, one way",
                            "size",
                            Look.LOGARITHMIC,
                            List.of(
                                    Curve.of("Sluice, processes", "latency-shm", "sluice", ONE_WAY_US),
                                    Curve.of("Sluice, threads", "latency-threads", "sluice", ONE_WAY_US),
                                    Curve.of(OPEN_MPI, "latency-shm", "openmpi", ONE_WAY_US),
                                    Curve.of(MPICH, "latency-shm", "mpich", ONE_WAY_US),
                                    Curve.of(NIODEV, "latency-shm", "mpj-express-niodev", ONE_WAY_US),
                                    Curve.of("MPJ Express, multicore", "latency-threads", "mpj-express", ONE_WAY_US))),
                    new Panel(
                            "A-11-bandwidth",
                            "Bandwidth",
                            "size",
                            Look.LINEAR,
                            List.of(
                                    Curve.of("Sluice, processes", "bandwidth-shm", "sluice", GBPS),
                                    Curve.of("Sluice, threads", "bandwidth-threads", "sluice", GBPS),
                                    Curve.of(OPEN_MPI, "bandwidth-shm", "openmpi", GBPS),
                                    Curve.of(MPICH, "bandwidth-shm", "mpich", GBPS),
                                    Curve.of(NIODEV, "bandwidth-shm", "mpj-express-niodev", GBPS),
                                    Curve.of("MPJ Express, multicore", "bandwidth-threads", "mpj-express", GBPS)))),
            List.of(
                    new Figure.Number("ibvdev, start-up latency", "6 µs"),
                    new Figure.Number("smpdev (MPJ Express between threads), start-up latency", "17 µs"),
                    new Figure.Number("MVAPICH, start-up latency", "0.5 µs"),
                    new Figure.Number("Open MPI, start-up latency", "1 µs"),
                    new Figure.Number("ibvdev, bandwidth", "15.3 Gbit/s"),
                    new Figure.Number("smpdev, bandwidth", "22 Gbit/s")));

    private static final Figure A12 = new Figure(
            "A-12",
            "Aggregated bandwidth of broadcast, allgather, reduce and allreduce (sums of doubles)",
            "Ranks of one node, where the paper has 128 processes. Aggregated is what has to reach another"
                    + " rank, over all ranks p: (p - 1) messages in broadcast and reduce, p (p - 1) in"
                    + " allgather, 2 (p - 1) in allreduce. " + PaperRun.WITHOUT_SPINNING,
            collectives(),
            List.of(new Figure.Number("ibvdev beside niodev", "generally 2 or 3 times, up to ten times as high")));

    private static final Figure A13 = new Figure(
            "A-13",
            "Kernels CG, IS, FT and MG: millions of operations a second, and speedup",
            "Class W on 1 and 2 ranks (class S with --quick), where the paper has class C on up to 64" + " processes.",
            kernels("A-13", Runs.KERNELS),
            List.of(
                    new Figure.Number("CG, class C, 64 processes, ibvdev", "almost 9000 MOPS"),
                    new Figure.Number("CG, class C, 64 processes, niodev", "less than 4000 MOPS"),
                    new Figure.Number("IS, class C, 64 processes, ibvdev", "650 MOPS"),
                    new Figure.Number("FT, class C, 64 processes, ibvdev", "around 17000 MOPS"),
                    new Figure.Number("FT, class C, 64 processes, niodev", "less than 8000 MOPS"),
                    new Figure.Number("MG, class C, 64 processes, niodev", "speedup of 30")));

    private IbvdevFigures() {}

    static List<Figure> all() {
        return List.of(A11, A12, A13);
    }

    private static List<Panel> collectives() {
        return Stream.of("broadcast", "allgather", "reduce", "allreduce")
                .map(IbvdevFigures::collective)
                .toList();
    }

    private static Panel collective(String name) {
        String shm = "collectives-shm";
        String threads = "collectives-threads";
        return new Panel(
                "A-12-" + name,
                name,
                "size",
                Look.LOGARITHMIC,
                List.of(
                        Curve.of("Sluice, processes", shm, "sluice", AGGREGATED_MBS)
                                .where("benchmark", name),
                        Curve.of("Sluice, 2 processes of 2 threads", shm, "sluice-2-jvms", AGGREGATED_MBS)
                                .where("benchmark", name),
                        Curve.of("Sluice, threads", threads, "sluice", AGGREGATED_MBS)
                                .where("benchmark", name),
                        Curve.of(OPEN_MPI, shm, "openmpi", AGGREGATED_MBS).where("benchmark", name),
                        Curve.of(MPICH, shm, "mpich", AGGREGATED_MBS).where("benchmark", name),
                        Curve.of(NIODEV, shm, "mpj-express-niodev", AGGREGATED_MBS)
                                .where("benchmark", name),
                        Curve.of("MPJ Express, multicore", threads, "mpj-express", AGGREGATED_MBS)
                                .where("benchmark", name)));
    }

    private static List<Panel> kernels(String id, List<String> runs) {
        List<Curve> mops = new ArrayList<>();
        List<Curve> speedups = new ArrayList<>();
        for (String channel : List.of("shm", "threads")) {
            String label = channel.equals("shm") ? "Sluice, processes" : "Sluice, threads";
            for (String ranks : List.of("1", "2")) {
                Map<String, String> where = Map.of("channel", channel, "ranks", ranks);
                mops.add(new Curve(label + ", " + ranks + (ranks.equals("1") ? " rank" : " ranks"), runs, where, MOPS));
            }
            speedups.add(
                    new Curve(label + ", 2 ranks", runs, Map.of("channel", channel), MOPS_SPEEDUP).where("ranks", "2"));
        }
        return List.of(
                new Panel(id + "-mops", "Operations", RunRecord.KERNEL, Look.BARS, mops),
                new Panel(id + "-speedup", "Speedup", RunRecord.KERNEL, Look.BARS, speedups));
    }
}
