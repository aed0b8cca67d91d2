package org.sluice.bench.papers;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What is drawn: each figure and table of the five papers that has a benchmark. */
public final class Figures {
    /** Behind {@code bench}. */
    public static final String BENCHMARK = "papers";

    private Figures() {}

    /** In the order of the papers. */
    public static List<Figure> all() {
        return Stream.of(
                        IbvdevFigures.all(),
                        IbdevFigures.all(),
                        CharmFigures.all(),
                        JaviaFigures.all(),
                        VerbsFigures.all())
                .flatMap(List::stream)
                .sorted(Comparator.comparing(figure -> figure.id().charAt(0)))
                .toList();
    }

    /** What the report doesn't have. */
    public static List<NotDrawn> notDrawn() {
        return List.of(
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
