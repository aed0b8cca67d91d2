package org.sluice.mpi.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluice.mpi.cases.MpiUnderTest.Comm;
import org.sluice.mpi.cases.MpiUnderTest.Mode;
import org.sluice.mpi.cases.MpiUnderTest.Ranks;

/** Groups, communicators that are made of others, and topologies. */
final class GroupRules {
    private static final int UNDEFINED = MpiUnderTest.UNDEFINED;
    private static final int NOBODY = MpiUnderTest.NOBODY;

    private GroupRules() {}

    static List<MpiCase> all() {
        List<MpiCase> cases = new ArrayList<>(GROUPS);
        cases.addAll(COMMUNICATORS);
        cases.addAll(GRIDS);
        cases.addAll(GRAPHS);
        cases.addAll(INTERCOMMUNICATORS);
        return cases;
    }

    /** Where its ranks are in another group. */
    private static String in(Ranks all, Ranks of) throws Exception {
        int[] own = new int[of.size()];
        Arrays.setAll(own, i -> i);
        return Arrays.toString(of.translate(own, all));
    }

    private static final List<MpiCase> GROUPS = List.of(
            MpiCase.of(
                    "groups: some, and all but some",
                    (mpi, comm) -> {
                        Ranks all = comm.group();
                        Ranks two = all.including(comm.size() - 1, 0);
                        return List.of(in(all, two), two.rank(), in(all, all.excluding(0)), all.rank());
                    },
                    (rank, size) -> List.of(
                            "[" + (size - 1) + ", 0]",
                            rank == 0 ? 1 : rank == size - 1 ? 0 : UNDEFINED,
                            Arrays.toString(Arrays.copyOf(new int[] {1, 2, 3}, size - 1)),
                            rank)),
            MpiCase.of(
                    "groups: ranges",
                    (mpi, comm) -> {
                        Ranks all = comm.group();
                        int last = comm.size() - 1;
                        return List.of(
                                in(all, all.includingRanges(new int[] {last, 0, -1})),
                                in(all, all.excludingRanges(new int[] {0, last, 2})));
                    },
                    (rank, size) -> List.of(
                            new String[] {"", "", "[1, 0]", "[2, 1, 0]", "[3, 2, 1, 0]"}[size],
                            size == 4 ? "[1, 3]" : "[1]")),
            MpiCase.of(
                    "groups: of two",
                    (mpi, comm) -> {
                        Ranks all = comm.group();
                        Ranks first = all.including(1, 0);
                        Ranks last = all.including(comm.size() - 1);
                        return List.of(
                                in(all, last.union(first)),
                                in(all, all.intersection(first)),
                                in(all, all.difference(last)),
                                mpi.noRanks().union(last).size(),
                                last.difference(all).size());
                    },
                    (rank, size) -> List.of(
                            size == 2 ? "[1, 0]" : "[" + (size - 1) + ", 1, 0]",
                            "[0, 1]",
                            Arrays.toString(Arrays.copyOf(new int[] {0, 1, 2}, size - 1)),
                            1,
                            0)),
            MpiCase.of(
                    "groups: compared",
                    (mpi, comm) -> {
                        Ranks all = comm.group();
                        Ranks turned = all.including(1, 0);
                        return List.of(
                                all.compare(comm.group()),
                                turned.compare(all.including(0, 1)),
                                turned.compare(all.including(0)),
                                all.including().compare(mpi.noRanks()));
                    },
                    (rank, size) -> List.of("IDENT", "SIMILAR", "UNEQUAL", "IDENT")),
            MpiCase.of(
                    "groups: ranks of one in another",
                    (mpi, comm) -> {
                        Ranks last = comm.group().including(comm.size() - 1);
                        return comm.group().translate(new int[] {0, comm.size() - 1}, last);
                    },
                    (rank, size) -> new int[] {UNDEFINED, 0}));

    private static int sum(MpiUnderTest mpi, Comm comm, int own) throws Exception {
        int[] got = new int[1];
        comm.allReduce(mpi.ints(own), mpi.ints(got), mpi.op("SUM"));
        return got[0];
    }

    private static final List<MpiCase> COMMUNICATORS = List.of(
            MpiCase.of(
                    "split by color, in the order of keys",
                    (mpi, comm) -> {
                        Comm half = comm.split(comm.rank() % 2, -comm.rank());
                        return List.of(half.rank(), half.size(), sum(mpi, half, comm.rank()));
                    },
                    (rank, size) -> {
                        int odd = size / 2;
                        int even = size - odd;
                        int count = rank % 2 == 0 ? even : odd;
                        return List.of(count - 1 - rank / 2, count, rank % 2 == 0 ? even * (even - 1) : odd * odd);
                    }),
            MpiCase.of(
                    "split with equal keys keeps the order",
                    (mpi, comm) -> comm.split(0, 5).rank(),
                    (rank, size) -> rank),
            MpiCase.of(
                    "split without a color",
                    (mpi, comm) -> {
                        Comm rest = comm.split(comm.rank() == 0 ? UNDEFINED : 4, 0);
                        return rest == null ? null : List.of(rest.rank(), rest.size());
                    },
                    (rank, size) -> rank == 0 ? null : List.of(rank - 1, size - 1)),
            MpiCase.of(
                    "one of a group",
                    (mpi, comm) -> {
                        Comm two = comm.create(comm.group().including(1, 0));
                        return two == null ? null : List.of(two.rank(), sum(mpi, two, 1));
                    },
                    (rank, size) -> rank > 1 ? null : List.of(1 - rank, 2)),
            MpiCase.of(
                    "a duplicate is congruent",
                    (mpi, comm) -> {
                        Comm copy = comm.duplicate();
                        Comm turned = comm.split(0, -comm.rank());
                        Comm one = comm.split(comm.rank(), 0);
                        List<String> found = List.of(
                                comm.compare(comm), comm.compare(copy), comm.compare(turned), comm.compare(one));
                        copy.free();
                        return List.of(found, comm.highestTag(), comm.topology(), comm.isInter());
                    },
                    (rank, size) -> List.of(
                            List.of("IDENT", "CONGRUENT", "SIMILAR", "UNEQUAL"), Integer.MAX_VALUE, "none", false)));

    private static final List<MpiCase> GRIDS = List.of(
            MpiCase.of(
                    "dimensions that are balanced",
                    (mpi, comm) -> List.of(
                            Arrays.toString(mpi.dims(12, 0, 0)),
                            Arrays.toString(mpi.dims(8, 0, 0, 0)),
                            Arrays.toString(mpi.dims(7, 0, 0))),
                    (rank, size) -> List.of("[4, 3]", "[2, 2, 2]", "[7, 1]")),
            MpiCase.of("dimensions that are given stay", (mpi, comm) -> mpi.dims(12, 0, 2, 0), (rank, size) ->
                    new int[] {3, 2, 2}),
            MpiCase.of(
                    "a ring: shift, around the edge",
                    (mpi, comm) -> {
                        Comm ring = comm.cartesian(new int[] {comm.size()}, new boolean[] {true});
                        int[] got = new int[1];
                        int[] shift = ring.shift(0, 1);
                        ring.exchange(mpi.ints(ring.rank()), shift[1], 2, mpi.ints(got), shift[0], 2);
                        return List.of(Arrays.toString(shift), got[0], Arrays.toString(ring.shift(0, -1)));
                    },
                    (rank, size) -> {
                        int from = (rank + size - 1) % size;
                        int to = (rank + 1) % size;
                        return List.of("[" + from + ", " + to + "]", from, "[" + to + ", " + from + "]");
                    }),
            MpiCase.of(
                    "a line: nobody is beyond its ends",
                    (mpi, comm) -> {
                        Comm line = comm.cartesian(new int[] {comm.size()}, new boolean[] {false});
                        int[] got = {-7};
                        int[] shift = line.shift(0, 1);
                        line.exchange(mpi.ints(line.rank()), shift[1], 2, mpi.ints(got), shift[0], 2);
                        return List.of(shift[0], shift[1], got[0]);
                    },
                    (rank, size) -> List.of(
                            rank == 0 ? NOBODY : rank - 1,
                            rank == size - 1 ? NOBODY : rank + 1,
                            rank == 0 ? -7 : rank - 1)),
            MpiCase.of(
                    "a grid: ranks, coordinates and what it is",
                    (mpi, comm) -> {
                        Comm grid = comm.cartesian(new int[] {2, 1}, new boolean[] {true, false});
                        if (grid == null) {
                            return null;
                        }
                        return new Object[] {
                            grid.coords(1), grid.rankAt(1, 0), grid.rankAt(-1, 0), grid.topology(), grid.grid()
                        };
                    },
                    (rank, size) -> rank > 1
                            ? null
                            : new Object[] {
                                new int[] {1, 0},
                                1,
                                1,
                                "CART",
                                new Object[] {new int[] {2, 1}, new boolean[] {true, false}, new int[] {rank, 0}}
                            }),
            MpiCase.of(
                    "a grid: its rows and columns",
                    (mpi, comm) -> {
                        Comm grid = comm.cartesian(new int[] {2, comm.size() / 2}, new boolean[2]);
                        if (grid == null) {
                            return null;
                        }
                        Comm row = grid.sub(false, true);
                        Comm column = grid.sub(true, false);
                        return List.of(row.size(), row.rank(), column.rank(), sum(mpi, column, comm.rank()));
                    },
                    (rank, size) -> {
                        int width = size / 2;
                        int column = rank % width;
                        return rank >= 2 * width ? null : List.of(width, column, rank / width, 2 * column + width);
                    }));

    private static final List<MpiCase> GRAPHS = List.of(MpiCase.of(
            "a graph: neighbours and edges",
            (mpi, comm) -> {
                // The first has an edge to each other, and each of them one to it.
                int size = comm.size();
                int[] index = new int[size];
                int[] edges = new int[2 * (size - 1)];
                Arrays.setAll(index, i -> size - 1 + i);
                Arrays.setAll(edges, i -> i < size - 1 ? i + 1 : 0);
                Comm graph = comm.graph(index, edges);
                return new Object[] {
                    graph.neighbours(0),
                    graph.neighbours(1),
                    graph.topology(),
                    graph.edges(),
                    sum(mpi, graph, graph.rank())
                };
            },
            (rank, size) -> {
                int[] others = Arrays.copyOf(new int[] {1, 2, 3}, size - 1);
                int[] index = new int[size];
                Arrays.setAll(index, i -> size - 1 + i);
                int[] edges = Arrays.copyOf(others, 2 * (size - 1));
                return new Object[] {others, new int[] {0}, "GRAPH", new int[][] {index, edges}, size * (size - 1) / 2};
            }));

    private static Comm between(Comm comm) throws Exception {
        int rank = comm.rank();
        return comm.connect(comm.split(rank == 0 ? 0 : 1, rank), 0, rank == 0 ? 1 : 0, 9);
    }

    private static final List<MpiCase> INTERCOMMUNICATORS = List.of(
            MpiCase.of(
                    "two groups: sizes and messages",
                    (mpi, comm) -> {
                        Comm both = between(comm);
                        int[] got = new int[1];
                        if (both.rank() == 0) {
                            both.exchange(mpi.ints(comm.rank() + 40), 0, 1, mpi.ints(got), 0, 1);
                        }
                        return List.of(
                                both.isInter(),
                                both.size(),
                                both.remoteSize(),
                                both.remoteGroup().size(),
                                got[0]);
                    },
                    (rank, size) -> rank == 0
                            ? List.of(true, 1, size - 1, size - 1, 41)
                            : List.of(true, size - 1, 1, 1, rank == 1 ? 40 : 0)),
            MpiCase.of(
                    "two groups: any source is of the other one",
                    (mpi, comm) -> {
                        Comm both = between(comm);
                        if (comm.rank() > 0) {
                            both.send(Mode.STANDARD, mpi.ints(comm.rank()), 0, 3);
                            return null;
                        }
                        int sum = 0;
                        for (int i = 0; i < both.remoteSize(); i++) {
                            int[] one = new int[1];
                            int from = both.receive(mpi.ints(one), MpiUnderTest.ANY, 3)
                                    .source();
                            sum += from == one[0] - 1 ? one[0] : 100;
                        }
                        return sum;
                    },
                    (rank, size) -> rank > 0 ? null : size * (size - 1) / 2),
            MpiCase.of(
                    "two groups: merged, the high one behind",
                    (mpi, comm) -> {
                        Comm merged = between(comm).merge(comm.rank() == 0);
                        return List.of(merged.isInter(), merged.rank(), sum(mpi, merged, 1));
                    },
                    (rank, size) -> List.of(false, rank == 0 ? size - 1 : rank - 1, size)),
            MpiCase.of(
                    "two groups: a duplicate of its own",
                    (mpi, comm) -> {
                        Comm both = between(comm);
                        Comm copy = both.duplicate();
                        return List.of(copy.isInter(), copy.remoteSize(), both.compare(copy));
                    },
                    (rank, size) -> List.of(true, rank == 0 ? size - 1 : 1, "CONGRUENT")));
}
