package org.sluice.bench.papers;

import java.util.List;
import java.util.stream.Stream;

/** What is drawn: each figure and table of the five papers that has a benchmark on any machine. */
public final class Figures {
    /** Behind {@code bench}. */
    public static final String BENCHMARK = "papers";

    private Figures() {}

    /** In the order of the papers. */
    public static List<Figure> all() {
        return Stream.of(IbvdevFigures.all(), IbdevFigures.all(), CharmFigures.all(), JaviaFigures.all())
                .flatMap(List::stream)
                .toList();
    }

    /** What the report doesn't have. */
    public static List<NotDrawn> notDrawn() {
        String verbs = "needs verbs: ";
        return List.of(
                new NotDrawn(
                        "A-10",
                        verbs + "latency and bandwidth over InfiniBand",
                        "./sluice vm --processors 2 -- ./sluice bench latency bandwidth --channel ib --peers perftest"),
                new NotDrawn("D-1, D-T2", verbs + "memory of connections", "./sluice vm -- ./sluice bench memory"),
                new NotDrawn(
                        "D-2, D-3, D-4, D-5",
                        verbs + "rate and bandwidth with few work requests",
                        "./sluice vm --processors 2 -- ./sluice bench coalescing"),
                new NotDrawn(
                        "C-4, C-8a, C-8b",
                        verbs + "ways of rendezvous, persistent routes and the pool",
                        "./sluice vm --processors 2 -- ./sluice bench latency --channel ib --buffer message"
                                + " --peers rendezvous-read,rendezvous-write,route,no-pool"),
                new NotDrawn("D-T1, D-6", verbs + "there is no benchmark of it yet", ""),
                new NotDrawn(
                        "A-14",
                        "is a cosmology code, for which a tree code stands",
                        "./sluice bench nbody-tree --class A --channel shm --ranks 2"),
                new NotDrawn("C-6", "is a first version that the paper improved", ""),
                new NotDrawn("D-7", "has large programs in Fortran and C, and shows no difference with them", ""),
                new NotDrawn(
                        "A-T1, A-1, A-2, A-3, A-4, A-5, A-6, A-7, A-8, A-9, B-1, B-T1,"
                                + " C-2, C-3, C-5, C-7a, C-7b, E-T1, E-T2",
                        "shows a design, a protocol, hardware or code, and no measurement",
                        ""));
    }
}
