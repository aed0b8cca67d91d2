package org.sluice.mpi.cases;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One rule of MPI: what each rank does, and what it has to find. */
public final class MpiCase {
    /** At each rank, with a communicator of its own. Returns what it has found. */
    @FunctionalInterface
    public interface Body {
        Object run(MpiUnderTest mpi, MpiUnderTest.Comm comm) throws Exception;
    }

    /** What a rank has to find. */
    @FunctionalInterface
    public interface Expected {
        Object at(int rank, int size);
    }

    private final String name;
    private final Body body;
    private final Expected expected;
    private final boolean isOfMpijava;

    private MpiCase(String name, boolean isOfMpijava, Body body, Expected expected) {
        this.name = name;
        this.isOfMpijava = isOfMpijava;
        this.body = body;
        this.expected = expected;
    }

    static MpiCase of(String name, Body body, Expected expected) {
        return new MpiCase(name, false, body, expected);
    }

    /** One that only MPJ Express's dialect has: objects, and structs of an array's elements. */
    static MpiCase ofMpijava(String name, Body body, Expected expected) {
        return new MpiCase(name, true, body, expected);
    }

    /** The whole table. */
    public static List<MpiCase> all() {
        return Stream.of(
                        MessageRules.all(),
                        RequestRules.all(),
                        TypeRules.all(),
                        CollectiveRules.all(),
                        ReductionRules.all(),
                        GroupRules.all(),
                        ObjectRules.all(),
                        MistakeRules.all())
                .flatMap(List::stream)
                .collect(Collectors.toList());
    }

    /** Those that are no mistakes, which only Sluice tells of. */
    public static List<MpiCase> withoutMistakes() {
        return all().stream().filter(each -> !each.isMistake()).collect(Collectors.toList());
    }

    /** Whether it is what a program does wrong. */
    public boolean isMistake() {
        return name.startsWith(MistakeRules.NAMES);
    }

    /** Those that both dialects have. */
    public static List<MpiCase> ofBoth() {
        return all().stream().filter(each -> !each.isOfMpijava).collect(Collectors.toList());
    }

    /** As text: arrays with what is in them. */
    static String text(Object found) {
        String text = Arrays.deepToString(new Object[] {found});
        return text.substring(1, text.length() - 1);
    }

    public String expected(int rank, int size) {
        return text(expected.at(rank, size));
    }

    /** Prints a line for each case: rank, name and what was found, or what was thrown, with tabs between. */
    public static void printAll(MpiUnderTest mpi, boolean hasMistakes) throws Exception {
        MpiUnderTest.Comm world = mpi.world();
        int rank = world.rank();
        List<String> leftOut =
                List.of(System.getProperty("sluice.test.left.out", "").split(";"));
        for (MpiCase each : mpi.isMpijava() ? all() : ofBoth()) {
            if (!leftOut.contains(each.name) && (hasMistakes || !each.isMistake())) {
                MpiUnderTest.Comm own = world.duplicate();
                String found;
                try {
                    found = text(each.body.run(mpi, own));
                } catch (Exception | Error e) {
                    found = "threw " + e;
                }
                System.out.println("case\t" + rank + "\t" + each.name + "\t" + found.replace('\n', ' '));
                own.barrier();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
