package example.mpijava;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Cartcomm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.User_function;
import org.sluice.mpi.cases.MpiUnderTest;

/** MPJ Express's dialect: compiled once, and run with Sluice's classes or with its own. */
final class MpijavaUnderTest implements MpiUnderTest {
    /** As MPJ Express has them: no dialect has the same numbers. */
    static int rank(int rank) {
        return rank == ANY ? MPI.ANY_SOURCE : rank == NOBODY ? MPI.PROC_NULL : rank;
    }

    static int tag(int tag) {
        return tag == ANY ? MPI.ANY_TAG : tag;
    }

    static int defined(int value) {
        return value == MPI.UNDEFINED ? UNDEFINED : value;
    }

    static String comparison(int value) {
        return value == MPI.IDENT
                ? "IDENT"
                : value == MPI.CONGRUENT ? "CONGRUENT" : value == MPI.SIMILAR ? "SIMILAR" : "UNEQUAL";
    }

    /** A datatype. */
    static final class Kind implements Type {
        final Datatype type;

        Kind(Datatype type) {
            this.type = type;
        }

        @Override
        public int extent() {
            return type.Extent();
        }

        @Override
        public int size() {
            return type.Size();
        }

        @Override
        public int lower() {
            return type.Lb();
        }
    }

    static Datatype of(Type type) {
        return type == null ? null : ((Kind) type).type;
    }

    /** A reduction. */
    static final class Reducing implements Operation {
        final Op op;

        Reducing(Op op) {
            this.op = op;
        }

        @Override
        public void free() {
            op.free();
        }
    }

    /** A status; null stays so. */
    static final class Found implements Got {
        private final Status status;

        private Found(Status status) {
            this.status = status;
        }

        static Found of(Status status) {
            return status == null ? null : new Found(status);
        }

        static Got[] of(Status[] all) {
            return all == null ? null : Arrays.stream(all).map(Found::of).toArray(Got[]::new);
        }

        @Override
        public int source() {
            return status.source == MPI.ANY_SOURCE ? ANY : status.source == MPI.PROC_NULL ? NOBODY : status.source;
        }

        @Override
        public int tag() {
            return status.tag == MPI.ANY_TAG ? ANY : status.tag;
        }

        @Override
        public int index() {
            return defined(status.index);
        }

        @Override
        public int count(Type type) {
            return defined(status.Get_count(MpijavaUnderTest.of(type)));
        }

        @Override
        public int elements(Type type) {
            return defined(status.Get_elements(MpijavaUnderTest.of(type)));
        }

        @Override
        public boolean isCancelled() {
            return status.Test_cancelled();
        }
    }

    /** A request. */
    static final class Begun implements Pending {
        final Request request;

        Begun(Request request) {
            this.request = request;
        }

        @Override
        public Got await() {
            return Found.of(request.Wait());
        }

        @Override
        public Got test() {
            return Found.of(request.Test());
        }

        @Override
        public void cancel() {
            request.Cancel();
        }

        @Override
        public boolean isNull() {
            return request.Is_null();
        }

        @Override
        public void start() {
            ((Prequest) request).Start();
        }
    }

    private static Request[] all(Pending... requests) {
        return Arrays.stream(requests).map(each -> ((Begun) each).request).toArray(Request[]::new);
    }

    @Override
    public boolean isMpijava() {
        return true;
    }

    @Override
    public String errorClass(Exception thrown) {
        return null;
    }

    @Override
    public Comm world() {
        return new MpijavaRanks(MPI.COMM_WORLD);
    }

    @Override
    public Comm self() {
        return new MpijavaRanks(MPI.COMM_SELF);
    }

    @Override
    public Ranks noRanks() {
        return new MpijavaGroup(MPI.GROUP_EMPTY);
    }

    private static Datatype named(String name) {
        switch (name) {
            case "BYTE":
                return MPI.BYTE;
            case "CHAR":
                return MPI.CHAR;
            case "SHORT":
                return MPI.SHORT;
            case "BOOLEAN":
                return MPI.BOOLEAN;
            case "INT":
                return MPI.INT;
            case "LONG":
                return MPI.LONG;
            case "FLOAT":
                return MPI.FLOAT;
            case "DOUBLE":
                return MPI.DOUBLE;
            case "INT2":
                return MPI.INT2;
            case "PACKED":
                return MPI.PACKED;
            case "OBJECT":
                return MPI.OBJECT;
            default:
                throw new IllegalArgumentException(name);
        }
    }

    @Override
    public Type type(String name) {
        return new Kind(named(name));
    }

    private static Type committed(Datatype type) {
        type.Commit();
        return new Kind(type);
    }

    @Override
    public Type contiguous(int count, Type of) {
        return committed(Datatype.Contiguous(count, of(of)));
    }

    @Override
    public Type vector(int count, int length, int stride, Type of) {
        return committed(Datatype.Vector(count, length, stride, of(of)));
    }

    @Override
    public Type elementVector(int count, int length, int stride, Type of) {
        return committed(Datatype.Hvector(count, length, stride, of(of)));
    }

    @Override
    public Type indexed(int[] lengths, int[] places, Type of) {
        return committed(Datatype.Indexed(lengths, places, of(of)));
    }

    @Override
    public Type elementIndexed(int[] lengths, int[] places, Type of) {
        return committed(Datatype.Hindexed(lengths, places, of(of)));
    }

    @Override
    public Type struct(int[] lengths, int[] places, Type... types) {
        Datatype[] all = Arrays.stream(types).map(MpijavaUnderTest::of).toArray(Datatype[]::new);
        return committed(Datatype.Struct(lengths, places, all));
    }

    @Override
    public void free(Type type) {
        of(type).free();
    }

    @Override
    public Operation op(String name) {
        switch (name) {
            case "MAX":
                return new Reducing(MPI.MAX);
            case "MIN":
                return new Reducing(MPI.MIN);
            case "SUM":
                return new Reducing(MPI.SUM);
            case "PROD":
                return new Reducing(MPI.PROD);
            case "LAND":
                return new Reducing(MPI.LAND);
            case "BAND":
                return new Reducing(MPI.BAND);
            case "LOR":
                return new Reducing(MPI.LOR);
            case "BOR":
                return new Reducing(MPI.BOR);
            case "LXOR":
                return new Reducing(MPI.LXOR);
            case "BXOR":
                return new Reducing(MPI.BXOR);
            case "MAXLOC":
                return new Reducing(MPI.MAXLOC);
            case "MINLOC":
                return new Reducing(MPI.MINLOC);
            default:
                throw new IllegalArgumentException(name);
        }
    }

    @Override
    public Operation op(User function, boolean isCommutative) {
        User_function called = new User_function() {
            @Override
            public void Call(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
                function.apply(in, inAt, inout, inoutAt, count);
            }
        };
        return new Reducing(new Op(called, isCommutative));
    }

    @Override
    public Object packBuffer(int bytes) {
        return new mpjbuf.Buffer(bytes);
    }

    @Override
    public void attachBuffer(int bytes) {
        MPI.Buffer_attach(ByteBuffer.allocateDirect(bytes + MPI.BSEND_OVERHEAD));
    }

    @Override
    public void detachBuffer() {
        MPI.Buffer_detach();
    }

    @Override
    public Got awaitAny(Pending... requests) {
        return Found.of(Request.Waitany(all(requests)));
    }

    @Override
    public Got[] awaitAll(Pending... requests) {
        return Found.of(Request.Waitall(all(requests)));
    }

    @Override
    public Got[] awaitSome(Pending... requests) {
        return Found.of(Request.Waitsome(all(requests)));
    }

    @Override
    public Got testAny(Pending... requests) {
        return Found.of(Request.Testany(all(requests)));
    }

    @Override
    public Got[] testAll(Pending... requests) {
        return Found.of(Request.Testall(all(requests)));
    }

    @Override
    public Got[] testSome(Pending... requests) {
        Got[] found = Found.of(Request.Testsome(all(requests)));
        return found == null ? new Got[0] : found;
    }

    @Override
    public void startAll(Pending... requests) {
        Prequest.Startall(Arrays.copyOf(all(requests), requests.length, Prequest[].class));
    }

    @Override
    public int[] dims(int nodes, int... dims) {
        Cartcomm.Dims_create(nodes, dims);
        return dims;
    }
}
