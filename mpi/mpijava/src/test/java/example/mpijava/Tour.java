package example.mpijava;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.Graphcomm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.ShiftParms;
import mpi.Status;
import mpi.User_function;

/** A program for MPJ Express that goes through what its package has; prints one line a rank if all is right. */
public final class Tour {
    private static int rank;
    private static int size;
    private static int next;
    private static int before;

    private Tour() {}

    public static void main(String[] args) {
        refused("Init", () -> MPI.COMM_WORLD.Rank());
        String[] own =
                args.length > 1 ? MPI.initThread(MPI.THREAD_SERIALIZED, MPI.THREAD_MULTIPLE, args) : MPI.Init(args);
        same(args.length, own.length);
        rank = MPI.COMM_WORLD.Rank();
        size = MPI.COMM_WORLD.Size();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        messages();
        requests();
        persistent();
        types();
        objects();
        packing();
        collectives();
        sameArrays();
        blocks();
        reductions();
        objectCollectives();
        groups();
        communicators();
        topologies();
        intercommunicators();
        Rest.run();
        mistakes();
        MPI.Finalize();
        if (MPI.Initialized()) {
            throw new AssertionError("initialized after Finalize");
        }
        refused("Finalize", () -> MPI.COMM_WORLD.Barrier());
        System.out.println("rank " + rank + " of " + size + " is done");
    }

    private static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + " and got " + actual);
        }
    }

    private static void same(int[] expected, int[] actual) {
        same(Arrays.toString(expected), Arrays.toString(actual));
    }

    private static void refused(String word, Runnable call) {
        try {
            call.run();
        } catch (MPIException e) {
            if (!String.valueOf(e.getMessage()).contains(word)) {
                throw new AssertionError("the words lack '" + word + "': " + e.getMessage(), e);
            }
            return;
        }
        throw new AssertionError("nothing was thrown that says '" + word + "'");
    }

    private static void messages() {
        Comm world = MPI.COMM_WORLD;
        double[] in = new double[5];
        double[] out = {rank, 1, 2, 3, 4};
        if (rank % 2 == 0) {
            world.Send(out, 0, 3, MPI.DOUBLE, next, 7);
            world.Ssend(out, 3, 2, MPI.DOUBLE, next, 8);
        }
        if (rank % 2 == 1 || size % 2 == 1 && rank == 0) {
            Status status = world.Recv(in, 1, 4, MPI.DOUBLE, MPI.ANY_SOURCE, 7);
            same(before, status.source);
            same(7, status.tag);
            same(3, status.Get_count(MPI.DOUBLE));
            same(3, status.Get_elements(MPI.DOUBLE));
            same(3, status.count);
            same((double) before, in[1]);
            same(0.0, in[4]);
            status = world.Probe(before, MPI.ANY_TAG);
            same(8, status.tag);
            same(2, status.Get_count(MPI.DOUBLE));
            same(8, world.Recv(in, 0, 2, MPI.DOUBLE, before, MPI.ANY_TAG).tag);
            same(4.0, in[1]);
        }
    }

    private static void requests() {
        Comm world = MPI.COMM_WORLD;
        int[] in = new int[3];
        Request[] all = new Request[6];
        for (int i = 0; i < 3; i++) {
            all[i] = world.Irecv(in, i, 1, MPI.INT, before, 10 + i);
        }
        int[] out = {100, 101, 102};
        for (int i = 0; i < 3; i++) {
            all[3 + i] = world.Isend(out, i, 1, MPI.INT, next, 10 + i);
        }
        Status any = Request.Waitany(all);
        same(true, all[any.index].Is_null());
        Request.Waitall(all);
        same(new int[] {100, 101, 102}, in);
        same(MPI.UNDEFINED, Request.Waitany(all).index);
        same(0, Request.Waitsome(all).length);
        same(6, Request.Testall(all).length);
        all[0] = world.Irecv(in, 0, 1, MPI.INT, before, 20);
        world.Send(out, 1, 1, MPI.INT, next, 20);
        Status[] some = Request.Waitsome(new Request[] {null, all[0]});
        same(1, some[0].index);
        same(101, in[0]);
        tests(world, in, out);
        Request never = world.Irecv(in, 0, 1, MPI.INT, before, 4711);
        same(true, never.Test() == null);
        never.Cancel();
        same(true, never.Wait().Test_cancelled());
        same(0, MPI.REQUEST_NULL.Wait().count);
        Status replaced = world.Sendrecv_replace(out, 0, 1, MPI.INT, next, 21, before, 21);
        same(before, replaced.source);
        double[] got = new double[1];
        Status both =
                world.Sendrecv(new double[] {rank}, 0, 1, MPI.DOUBLE, next, 22, got, 0, 1, MPI.DOUBLE, before, 22);
        same(before, both.source);
        same((double) before, got[0]);
        same(MPI.PROC_NULL, world.Recv(got, 0, 1, MPI.DOUBLE, MPI.PROC_NULL, 0).source);
        world.Send(got, 0, 1, MPI.DOUBLE, MPI.PROC_NULL, 0);
        MPI.Buffer_attach(ByteBuffer.allocate(world.Pack_size(1000, MPI.INT) + MPI.BSEND_OVERHEAD));
        world.Bsend(new int[1000], 0, 1000, MPI.INT, next, 23);
        same(1000, world.Recv(new int[1000], 0, 1000, MPI.INT, before, 23).Get_count(MPI.INT));
        MPI.Buffer_detach();
        refused("Buffer_attach", () -> world.Bsend(new int[1], 0, 1, MPI.INT, next, 23));
    }

    private static void tests(Comm world, int[] in, int[] out) {
        Request[] both = {world.Irecv(in, 0, 1, MPI.INT, before, 24), world.Irecv(in, 1, 1, MPI.INT, before, 25)};
        same(true, Request.Testall(both) == null);
        world.Send(out, 2, 1, MPI.INT, next, 25);
        Status status = null;
        while (status == null) {
            status = Request.Testany(both);
        }
        same(1, status.index);
        same(0, Request.Testsome(both).length);
        MPI.COMM_WORLD.Barrier();
        world.Send(out, 0, 1, MPI.INT, next, 24);
        Status[] found = new Status[0];
        while (found.length == 0) {
            found = Request.Testsome(both);
        }
        same(0, found[0].index);
        same(100, in[0]);
        same(102, in[1]);
        same(true, Request.Testany(both) == null);
    }

    private static void persistent() {
        Comm world = MPI.COMM_WORLD;
        int[] in = new int[1];
        int[] out = new int[1];
        Prequest receive = world.Recv_init(in, 0, 1, MPI.INT, before, 30);
        Prequest send = world.Send_init(out, 0, 1, MPI.INT, next, 30);
        for (int i = 0; i < 5; i++) {
            out[0] = 1000 * rank + i;
            Prequest.Startall(new Prequest[] {receive, send});
            Request.Waitall(new Request[] {receive, send});
            same(1000 * before + i, in[0]);
        }
    }

    private static void types() {
        Datatype column = Datatype.Vector(3, 1, 4, MPI.INT);
        column.Commit();
        same(9, column.Extent());
        same(3, column.Size());
        int[] out = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        int[] in = new int[12];
        Status status = MPI.COMM_WORLD.Sendrecv(out, 1, 1, column, next, 40, in, 2, 1, column, before, 40);
        same(new int[] {0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 9, 0}, in);
        same(1, status.Get_count(column));
        same(3, status.Get_elements(column));
        same(3, status.Get_count(MPI.INT));
        same(0, status.Get_count(MPI.FLOAT));
        same(0, status.Get_elements(MPI.FLOAT));
        Datatype wide =
                Datatype.Struct(new int[] {1, 2, 1}, new int[] {0, 1, 5}, new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
        same(5, wide.Extent());
        same(2, wide.Size());
        Datatype indexed = Datatype.Indexed(new int[] {1, 2}, new int[] {4, 0}, MPI.INT);
        same(5, indexed.Ub());
        refused(
                "base type",
                () -> Datatype.Struct(new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPI.INT, MPI.DOUBLE}));
        column.free();
        refused("freed", () -> MPI.COMM_WORLD.Send(out, 0, 1, column, next, 40));
        same(true, MPI.INT2.Size() == 2 && MPI.INT2.getByteSize() == 8);
    }

    private static void objects() {
        Comm world = MPI.COMM_WORLD;
        Object[] out = {"from " + rank, List.of(1, 2), null};
        Object[] in = new Object[4];
        Request receive = world.Irecv(in, 1, 3, MPI.OBJECT, before, 50);
        world.Send(out, 0, 3, MPI.OBJECT, next, 50);
        Status status = receive.Wait();
        same(3, status.Get_count(MPI.OBJECT));
        same("from " + before, in[1]);
        same(List.of(1, 2), in[2]);
        Request sent = world.Isend(new String[] {"a", "b"}, 1, 1, MPI.OBJECT, next, 51);
        String[] text = new String[1];
        same(1, world.Recv(text, 0, 1, MPI.OBJECT, before, 51).Get_count(MPI.OBJECT));
        same("b", text[0]);
        sent.Wait();
        double[][] rows = {{1, 2}, {3}};
        double[][] copy = new double[2][];
        world.Sendrecv(rows, 0, 2, MPI.OBJECT, next, 52, copy, 0, 2, MPI.OBJECT, before, 52);
        same(3.0, copy[1][0]);
        largeObjects(world);
        refused("Serializable", () -> world.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, next, 53));
    }

    /** What both ranks have begun to receive comes while they wait for their sends. */
    private static void largeObjects(Comm world) {
        Object[] large = {new double[100_000], "end"};
        Object[] in = new Object[2];
        Request receive = world.Irecv(in, 0, 2, MPI.OBJECT, before, 54);
        world.Send(large, 0, 2, MPI.OBJECT, next, 54);
        same(2, receive.Wait().Get_count(MPI.OBJECT));
        same("end", in[1]);
        Request[] both = {world.Issend(large, 1, 1, MPI.OBJECT, next, 55), world.Irecv(in, 0, 1, MPI.OBJECT, before, 55)
        };
        Request.Waitall(both);
        same("end", in[0]);
    }

    private static void packing() {
        Comm world = MPI.COMM_WORLD;
        mpjbuf.Buffer out = new mpjbuf.Buffer(1000);
        int at = world.Pack(new int[] {rank, 2}, 0, 2, MPI.INT, out, 0);
        at = world.Pack(new double[] {1.5}, 0, 1, MPI.DOUBLE, out, at);
        at = world.Pack(new Object[] {"text"}, 0, 1, MPI.OBJECT, out, at);
        Request sent = world.Isend(out, 0, at, MPI.PACKED, next, 60);
        mpjbuf.Buffer in = new mpjbuf.Buffer(1000);
        world.Recv(in, 0, 1000, MPI.PACKED, before, 60);
        sent.Wait();
        int[] numbers = new int[2];
        double[] real = new double[1];
        Object[] text = new Object[1];
        at = world.Unpack(in, 0, numbers, 0, 2, MPI.INT);
        at = world.Unpack(in, at, real, 0, 1, MPI.DOUBLE);
        world.Unpack(in, at, text, 0, 1, MPI.OBJECT);
        same(new int[] {before, 2}, numbers);
        same(1.5, real[0]);
        same("text", text[0]);
    }

    private static int[] all(int factor) {
        int[] expected = new int[size];
        Arrays.setAll(expected, i -> factor * i);
        return expected;
    }

    private static void collectives() {
        Intracomm world = MPI.COMM_WORLD;
        int[] told = {rank == 1 ? 5 : 0};
        world.Bcast(told, 0, 1, MPI.INT, 1);
        same(5, told[0]);
        int[] gathered = new int[size];
        world.Gather(new int[] {10 * rank}, 0, 1, MPI.INT, gathered, 0, 1, MPI.INT, 0);
        same(rank == 0 ? all(10) : new int[size], gathered);
        int[] own = new int[1];
        world.Scatter(gathered, 0, 1, MPI.INT, own, 0, 1, MPI.INT, 0);
        same(10 * rank, own[0]);
        int[] everywhere = new int[size];
        world.Allgather(new int[] {7 * rank}, 0, 1, MPI.INT, everywhere, 0, 1, MPI.INT);
        same(all(7), everywhere);
        int[] out = new int[size];
        Arrays.setAll(out, i -> 100 * rank + i);
        world.Alltoall(out, 0, 1, MPI.INT, everywhere, 0, 1, MPI.INT);
        for (int i = 0; i < size; i++) {
            same(100 * i + rank, everywhere[i]);
        }
    }

    private static void sameArrays() {
        Intracomm world = MPI.COMM_WORLD;
        int[] all = new int[size];
        all[rank] = 3 * rank;
        world.Allgather(all, rank, 1, MPI.INT, all, 0, 1, MPI.INT);
        same(all(3), all);
        int[] first = new int[size];
        first[0] = 3 * rank;
        world.Allgather(first, 0, 1, MPI.INT, first, 0, 1, MPI.INT);
        same(all(3), first);
        world.Scatter(first, 0, 1, MPI.INT, first, 0, 1, MPI.INT, size - 1);
        same(3 * rank, first[0]);
        world.Gather(first, 0, 1, MPI.INT, first, 0, 1, MPI.INT, size - 1);
        same(rank == size - 1 ? all(3)[1] : 3 * rank, first[rank == size - 1 ? 1 : 0]);
        int[] sum = {1, 2};
        world.Allreduce(sum, 0, sum, 0, 2, MPI.INT, MPI.SUM);
        same(new int[] {size, 2 * size}, sum);
        world.Allreduce(sum, 1, sum, 0, 1, MPI.INT, MPI.SUM);
        same(2 * size * size, sum[0]);
    }

    private static void blocks() {
        Intracomm world = MPI.COMM_WORLD;
        int[] counts = new int[size + 1];
        int[] places = new int[size + 1];
        for (int i = 0; i < size; i++) {
            counts[i] = i + 1;
            places[i + 1] = places[i] + i + 1;
        }
        int[] own = new int[rank + 1];
        Arrays.fill(own, rank);
        int[] all = new int[places[size] + 1];
        world.Allgatherv(own, 0, rank + 1, MPI.INT, all, 1, counts, places, MPI.INT);
        for (int i = 0; i < size; i++) {
            same(i, all[1 + places[i]]);
            same(i, all[places[i + 1]]);
        }
        int[] back = new int[rank + 1];
        world.Scatterv(all, 1, counts, places, MPI.INT, back, 0, rank + 1, MPI.INT, 0);
        same(own, back);
        Arrays.fill(all, -1);
        world.Gatherv(own, 0, rank + 1, MPI.INT, all, 1, counts, places, MPI.INT, 1);
        same(rank == 1 ? size - 1 : -1, all[all.length - 1]);
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        int[] order = new int[size];
        Arrays.setAll(order, i -> size - 1 - i);
        int[] in = new int[size];
        world.Alltoallv(all(1), 0, ones, order, MPI.INT, in, 0, ones, order, MPI.INT);
        same(size - 1 - rank, in[0]);
    }

    private static void reductions() {
        Intracomm world = MPI.COMM_WORLD;
        double[] sum = new double[2];
        world.Reduce(new double[] {rank, 1}, 0, sum, 0, 2, MPI.DOUBLE, MPI.SUM, 0);
        same(rank == 0 ? size * (size - 1) / 2.0 : 0.0, sum[0]);
        int[] pair = new int[2];
        world.Allreduce(new int[] {rank % 2, rank}, 0, pair, 0, 1, MPI.INT2, MPI.MAXLOC);
        same(new int[] {1, 1}, pair);
        int[] scanned = new int[1];
        world.Scan(new int[] {1}, 0, scanned, 0, 1, MPI.INT, MPI.SUM);
        same(rank + 1, scanned[0]);
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        int[] own = new int[1];
        world.Reduce_scatter(all(1), 0, own, 0, ones, MPI.INT, MPI.SUM);
        same(size * rank, own[0]);
        Op last = new Op(
                new User_function() {
                    @Override
                    public void Call(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
                        // Matrices of two columns, whose product depends on the order.
                        long[] a = (long[]) in;
                        long[] b = (long[]) inout;
                        for (int i = 0; i < count; i++) {
                            long factor = a[inAt + 2 * i] * b[inoutAt + 2 * i];
                            long rest = a[inAt + 2 * i] * b[inoutAt + 2 * i + 1] + a[inAt + 2 * i + 1];
                            b[inoutAt + 2 * i] = factor;
                            b[inoutAt + 2 * i + 1] = rest;
                        }
                    }
                },
                false);
        long[] product = new long[2];
        world.Allreduce(new long[] {2, rank}, 0, product, 0, 1, MPI.LONG2, last);
        long expected = 0;
        for (int i = size - 1; i >= 0; i--) {
            expected = 2 * expected + i;
        }
        same(1L << size, product[0]);
        same(expected, product[1]);
        boolean[] and = new boolean[1];
        world.Allreduce(new boolean[] {rank != 1}, 0, and, 0, 1, MPI.BOOLEAN, MPI.LAND);
        same(false, and[0]);
    }

    /** Of a list, and so on. */
    private static List<?> list(int depth) {
        List<?> list = new ArrayList<>();
        for (int i = 1; i < depth; i++) {
            list = new ArrayList<>(List.of(list));
        }
        return list;
    }

    private static void objectCollectives() {
        Intracomm world = MPI.COMM_WORLD;
        Object[] told = {rank == 0 ? new ArrayList<>(List.of("x")) : null};
        world.Bcast(told, 0, 1, MPI.OBJECT, 0);
        same(List.of("x"), told[0]);
        Object[] deep = {rank == 0 ? list(200) : null};
        world.Bcast(deep, 0, 1, MPI.OBJECT, 0);
        same(list(200), deep[0]);
        String[] names = new String[2 * size];
        world.Allgather(new String[] {"a" + rank, "b" + rank}, 0, 2, MPI.OBJECT, names, 0, 2, MPI.OBJECT);
        same("b" + (size - 1), names[2 * size - 1]);
        Object[] own = new Object[1];
        Object[] each = new Object[size];
        Arrays.setAll(each, i -> "for " + i);
        world.Scatter(each, 0, 1, MPI.OBJECT, own, 0, 1, MPI.OBJECT, 0);
        same("for " + rank, own[0]);
        world.Alltoall(each, 0, 1, MPI.OBJECT, each, 0, 1, MPI.OBJECT);
        same("for " + rank, each[size - 1]);
        Op join = new Op(
                new User_function() {
                    @Override
                    public void Call(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
                        for (int i = 0; i < count; i++) {
                            ((Object[]) inout)[inoutAt + i] =
                                    (String) ((Object[]) in)[inAt + i] + ((Object[]) inout)[inoutAt + i];
                        }
                    }
                },
                false);
        world.Allreduce(new Object[] {"" + rank}, 0, own, 0, 1, MPI.OBJECT, join);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < size; i++) {
            expected.append(i);
        }
        same(expected.toString(), own[0]);
        refused("User_function", () -> world.Allreduce(own, 0, own, 0, 1, MPI.OBJECT, MPI.SUM));
    }

    private static void groups() {
        Group all = MPI.COMM_WORLD.Group();
        Group some = all.Incl(new int[] {size - 1, 0});
        same(rank == 0 ? 1 : rank == size - 1 ? 0 : MPI.UNDEFINED, some.Rank());
        same(MPI.SIMILAR, Group.Compare(some, all.Incl(new int[] {0, size - 1})));
        same(MPI.IDENT, Group.Compare(all, MPI.COMM_WORLD.Group()));
        same(MPI.UNEQUAL, Group.Compare(all, MPI.GROUP_EMPTY));
        same(new int[] {1, MPI.UNDEFINED}, Group.Translate_ranks(all, new int[] {0, 1}, some));
        same(size - 2, Group.Difference(all, some).Size());
        same(size, Group.Union(some, all).Size());
        same(2, Group.Intersection(all, some).Size());
        same(size - 1, all.Range_excl(new int[][] {{0, 0, 1}}).Size());
        refused("in this group", () -> all.Incl(new int[] {size}));
    }

    private static void communicators() {
        Intracomm world = MPI.COMM_WORLD;
        Intracomm half = world.Split(rank % 2, -rank);
        same((size + 1 - rank % 2) / 2, half.Size());
        same(MPI.UNEQUAL, Comm.Compare(world, half));
        Intracomm copy = (Intracomm) world.clone();
        same(MPI.CONGRUENT, Comm.Compare(world, copy));
        same(MPI.IDENT, Intracomm.Compare(world, world));
        same(true, world.Split(MPI.UNDEFINED, 0) == null);
        Intracomm first = world.Create(world.Group().Incl(new int[] {0, 1}));
        same(rank < 2 ? rank : MPI.UNDEFINED, first.Rank());
        if (rank < 2) {
            first.Barrier();
        } else {
            refused("Create", () -> first.Barrier());
        }
        same(Integer.MAX_VALUE, world.Attr_get(MPI.TAG_UB));
        same(MPI.UNDEFINED, world.Topo_test());
        copy.Free();
        refused("freed", () -> copy.Barrier());
        same(1, MPI.COMM_SELF.Size());
    }

    private static void topologies() {
        Intracomm world = MPI.COMM_WORLD;
        int[] dims = new int[2];
        Cartcomm.Dims_create(size, dims);
        same(size, dims[0] * dims[1]);
        Cartcomm line = world.Create_cart(new int[] {size}, new boolean[] {false}, true);
        ShiftParms shift = line.Shift(0, 1);
        same(rank == size - 1 ? -1 : next, shift.rank_dest);
        same(rank == 0 ? -1 : before, shift.rank_source);
        int[] moved = {-7};
        line.Sendrecv(
                new int[] {rank}, 0, 1, MPI.INT, shift.rank_dest, 70, moved, 0, 1, MPI.INT, shift.rank_source, 70);
        same(rank == 0 ? -7 : before, moved[0]);
        same(MPI.CART, line.Topo_test());
        Cartcomm grid = world.Create_cart(new int[] {size / 2, 2}, new boolean[] {true, false}, false);
        if (grid != null) {
            same(new int[] {rank / 2, rank % 2}, grid.Coords(rank));
            same(rank, grid.Rank(grid.Get().coords));
            same(2, grid.Sub(new boolean[] {false, true}).Size());
        }
        int[] index = new int[size];
        int[] edges = new int[size];
        Arrays.setAll(index, i -> i + 1);
        Arrays.setAll(edges, i -> (i + 1) % size);
        Graphcomm graph = world.Create_graph(index, edges, false);
        same(new int[] {next}, graph.Neighbours(rank));
        same(MPI.GRAPH, graph.Topo_test());
        same(index, graph.Get().index);
    }

    private static void intercommunicators() {
        Intracomm world = MPI.COMM_WORLD;
        Intracomm half = world.Split(rank % 2, rank);
        Intercomm both = world.Create_intercomm(half, 0, rank % 2 == 0 ? 1 : 0, 80);
        same(true, both.Test_inter());
        same(half.Size(), both.Size());
        same(size - half.Size(), both.Remote_size());
        if (half.Rank() == 0) {
            int[] other = {rank};
            both.Sendrecv_replace(other, 0, 1, MPI.INT, 0, 1, 0, 1);
            same(1 - rank, other[0]);
            Object[] text = new Object[1];
            Request sent = both.Isend(new Object[] {"x" + rank}, 0, 1, MPI.OBJECT, 0, 2);
            both.Recv(text, 0, 1, MPI.OBJECT, 0, 2);
            sent.Wait();
            same("x" + (1 - rank), text[0]);
        }
        Intracomm merged = both.Merge(rank % 2 == 1);
        same(size, merged.Size());
        same(rank == 0, merged.Rank() == 0);
    }

    private static void mistakes() {
        Comm world = MPI.COMM_WORLD;
        refused("Double[]", () -> world.Send(new Double[] {1.0}, 0, 1, MPI.DOUBLE, next, 0));
        refused("row * columns", () -> world.Send(new double[1][1], 0, 1, MPI.DOUBLE, next, 0));
        refused("int[]", () -> world.Send(new int[1], 0, 1, MPI.DOUBLE, next, 0));
        refused("null", () -> world.Send(null, 0, 1, MPI.DOUBLE, next, 0));
        refused("outside", () -> world.Send(new int[3], 2, 2, MPI.INT, next, 0));
        refused("count", () -> world.Send(new int[3], 2, -1, MPI.INT, next, 0));
        refused("TAG_UB", () -> world.Send(new int[1], 0, 1, MPI.INT, next, -5));
        refused("ANY_TAG is for receives", () -> world.Send(new int[1], 0, 1, MPI.INT, next, MPI.ANY_TAG));
        refused("ANY_SOURCE is for receives", () -> world.Send(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1));
        refused("on that Cartcomm", () -> world.Send(new int[1], 0, 1, MPI.INT, -1, 1));
        refused("toCharArray", () -> world.Send("text", 0, 4, MPI.CHAR, next, 1));
        refused("rank " + size, () -> world.Send(new int[1], 0, 1, MPI.INT, size, 0));
        refused("rank -1", () -> world.Send(new int[1], 0, 1, MPI.INT, -1, 0));
        refused("datatype is null", () -> world.Send(new int[1], 0, 1, null, next, 0));
        refused("root", () -> MPI.COMM_WORLD.Bcast(new int[1], 0, 1, MPI.INT, size));
        Request sent = world.Isend(new int[5], 0, 5, MPI.INT, next, 90);
        refused("20", () -> world.Recv(new int[4], 0, 4, MPI.INT, before, 90));
        sent.Wait();
        refused("COMM_NULL", () -> MPI.COMM_NULL.Rank());
    }
}
