package example.mpijava;

import java.util.Arrays;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.Errhandler;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/** What few programs use: the environment, public fields, and what programs make of the library's classes. */
final class Rest {
    private Rest() {}

    static void run() {
        environment();
        pairs();
        objectsOfTheLibrary();
        tooLarge();
        sendrecvWhoseReceiveFails();
        groups();
        communicators();
        requests();
        operations();
    }

    private static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + " and got " + actual);
        }
    }

    private static void environment() {
        same(MPI.class, new MPI().getClass());
        same(true, MPI.Initialized());
        same(true, MPI.isMainThread());
        same(MPI.THREAD_MULTIPLE, MPI.queryThread());
        same(false, MPI.Get_processor_name().isEmpty());
        double before = MPI.Wtime();
        double now = MPI.Wtime();
        while (now == before) {
            now = MPI.Wtime();
        }
        same(true, now > before && now - before < 60 && MPI.Wtick() > 0 && MPI.Wtick() < 1);
        Errhandler first = MPI.Errorhandler_get();
        same(MPI.ERRORS_ARE_FATAL, first);
        MPI.Errorhandler_set(MPI.ERRORS_RETURN);
        same(MPI.ERRORS_RETURN, MPI.Errorhandler_get());
        MPI.Errorhandler_set(first);
    }

    /** Value and index of each of two that are reduced. */
    private static void pairs() {
        Object[][] all = {
            {MPI.SHORT2, new short[] {1, 7}, new short[2]},
            {MPI.FLOAT2, new float[] {1, 7}, new float[2]},
            {MPI.LONG2, new long[] {1, 7}, new long[2]},
            {MPI.DOUBLE2, new double[] {1, 7}, new double[2]}
        };
        for (Object[] each : all) {
            Datatype type = (Datatype) each[0];
            same(2, type.Size());
            MPI.COMM_WORLD.Allreduce(each[1], 0, each[2], 0, 1, type, MPI.MINLOC);
            same(true, Arrays.deepEquals(new Object[] {each[1]}, new Object[] {each[2]}));
        }
    }

    private static void objectsOfTheLibrary() {
        Status made = new Status();
        made.source = 3;
        made.tag = 4;
        made.count = 5;
        Status copy = new Status(made);
        copy.free();
        same(true, copy.source == 3 && copy.tag == 4 && copy.count == 5);
        same(MPI.ANY_SOURCE, MPI.EMPTY_STATUS.source);
        same(0, MPI.EMPTY_STATUS.Get_count(MPI.INT));
        same(true, new GraphParms().index == null);
        IllegalStateException cause = new IllegalStateException("cause");
        same(cause, new MPIException(cause).getCause());
        same("text", new MPIException("text").getMessage());
        same(true, new MPIException().getMessage() == null);
        same(5, MPI.INT.baseType);
        same(5, MPI.INT2.getType());
        same(0, MPI.NULL.Size() - MPI.NULL.Extent());
        Datatype own = new Datatype() {};
        same(-1, own.getType());
        same(0, own.Size());
        own.finalize();
        same(0, own.Extent());
        same(true, MPI.REQUEST_NULL.Wait() == MPI.EMPTY_STATUS);
        same(MPI.ANY_SOURCE, MPI.EMPTY_STATUS.source);
    }

    private static void tooLarge() {
        Datatype wide = Datatype.Vector(2, 1, 1 << 29, MPI.DOUBLE);
        same((1 << 29) + 1, wide.Extent());
        refused("no array is so long", () -> Datatype.Vector(5, 1, 1 << 29, MPI.DOUBLE));
        refused("2^31", () -> Datatype.Contiguous(4, wide));
        refused("2^31", () -> Datatype.Contiguous(1 << 28, MPI.DOUBLE));
        refused("2^31", () -> Datatype.Hindexed(new int[] {1, 1}, new int[] {-2147483648, 2147483647}, MPI.INT));
        Datatype objects = Datatype.Contiguous(4, MPI.OBJECT);
        Object[] few = new Object[8];
        refused("outside of the buffer", () -> MPI.COMM_SELF.Send(few, 0, 1 << 30, objects, 0, 0));
        refused("outside of the buffer", () -> MPI.COMM_SELF.Send(few, 6, 1, objects, 0, 0));
    }

    /** The send that goes with it has a moment, and is withdrawn: its array is the program's again. */
    private static void sendrecvWhoseReceiveFails() {
        Request two = MPI.COMM_SELF.Isend(new Object[] {"a", "b"}, 0, 2, MPI.OBJECT, 0, 6);
        Object[] large = {new byte[1 << 20]};
        Object[] got = new Object[1];
        refused("takes 1", () -> MPI.COMM_SELF.Sendrecv(large, 0, 1, MPI.OBJECT, 0, 5, got, 0, 1, MPI.OBJECT, 0, 6));
        two.Wait();
        same(true, MPI.COMM_SELF.Iprobe(0, 5) == null);
        Request three = MPI.COMM_SELF.Isend(new int[3], 0, 3, MPI.INT, 0, 6);
        int[] longer = new int[1 << 20];
        refused(
                "12 bytes",
                () -> MPI.COMM_SELF.Sendrecv(longer, 0, longer.length, MPI.INT, 0, 5, new int[1], 0, 1, MPI.INT, 0, 6));
        three.Wait();
        same(true, MPI.COMM_SELF.Iprobe(0, 5) == null);
        Request nothing = MPI.COMM_SELF.Isend(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        nothing.Wait();
        same(true, nothing.Test() == MPI.EMPTY_STATUS);
    }

    private static void refused(String words, Runnable call) {
        try {
            call.run();
        } catch (MPIException e) {
            same(true, e.getMessage().contains(words));
            return;
        }
        throw new AssertionError("taken, and refused with '" + words + "' was expected");
    }

    private static void groups() {
        Group all = MPI.COMM_WORLD.Group();
        same(MPI.IDENT, Group.Compare(all, new Group(all.mpjdevGroup)));
        same(-1, all.code);
        same(Group.EMPTY, MPI.GROUP_EMPTY.code);
        same(all.Rank(), all.mpjdevGroup.rank());
        same(all.Size(), all.mpjdevGroup.size);
        all.free();
        all.finalize();
        same(MPI.COMM_WORLD.Size(), all.Size());
        try {
            Group.Union(MPI.GROUP_NULL, all);
        } catch (MPIException e) {
            same(true, e.getMessage().contains("GROUP_NULL"));
            return;
        }
        throw new AssertionError("GROUP_NULL was united");
    }

    private static void communicators() {
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.Rank();
        int size = world.Size();
        same(size, world.group.Size());
        world.mpjdevComm.barrier();
        Cartcomm ring = world.Create_cart(new int[] {size}, new boolean[] {true}, false);
        Cartcomm again = (Cartcomm) ring.clone();
        same(rank, again.Coords(rank)[0]);
        same(rank < 2 ? rank : MPI.UNDEFINED, ring.Map(new int[] {2}, new boolean[1]));
        int[] index = new int[size];
        int[] edges = new int[size];
        Arrays.setAll(index, i -> i + 1);
        Arrays.setAll(edges, i -> (i + 1) % size);
        Graphcomm graph = (Graphcomm) world.Create_graph(index, edges, false).clone();
        same(true, Arrays.equals(edges, graph.Get().edges));
        same(rank < 2 ? rank : MPI.UNDEFINED, graph.Map(new int[] {1, 2}, new int[] {1, 0}));
        Intracomm part = world.Split(rank == 0 ? 0 : 1, rank);
        Intercomm inter = (Intercomm)
                world.Create_intercomm(part, 0, rank == 0 ? 1 : 0, 5).clone();
        same(size, inter.Remote_size() + inter.Size());
        Comm copy = (Comm) world.clone();
        copy.Attr_delete(MPI.TAG_UB);
        same(Integer.MAX_VALUE, world.Attr_get(MPI.TAG_UB));
        try {
            copy.Attr_get(MPI.TAG_UB);
        } catch (MPIException e) {
            same(true, e.getMessage().contains("TAG_UB"));
            return;
        }
        throw new AssertionError("an attribute is there that was deleted");
    }

    /** One of the program's own that is over when it is asked the second time. */
    private static final class Own extends mpjdev.Request {
        private int asked;

        @Override
        public mpjdev.Status iwait() {
            return new mpjdev.Status(1, 2, 3);
        }

        @Override
        public mpjdev.Status itest() {
            return asked++ == 0 ? null : iwait();
        }

        @Override
        public void free() {}

        @Override
        public boolean isnull() {
            return asked > 1;
        }

        @Override
        public boolean cancel() {
            return false;
        }
    }

    private static void requests() {
        Request request = new Request(new Own());
        same(true, request.req instanceof Own);
        same(false, request.Is_null());
        same(true, request.Test() == null);
        same(2, request.Test().tag);
        same(true, request.Is_null());
        same(1, request.Wait().source);
        request.finalize();
    }

    private static void operations() {
        User_function difference = new User_function() {
            @Override
            public void Call(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                    ((int[]) inout)[inoutAt + i] = Math.max(((int[]) in)[inAt + i], ((int[]) inout)[inoutAt + i]);
                }
            }
        };
        Op most = new Op(difference, true, 77);
        same(77, most.opCode);
        int[] got = new int[1];
        MPI.COMM_WORLD.Allreduce(new int[] {MPI.COMM_WORLD.Rank()}, 0, got, 0, 1, MPI.INT, most);
        same(MPI.COMM_WORLD.Size() - 1, got[0]);
        most.finalize();
        most.free();
    }
}
