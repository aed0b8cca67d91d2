package example.openmpi;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.util.Arrays;
import mpi.CartComm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.UserFunction;
import org.sluice.mpi.cases.MpiUnderTest;

/** Open MPI's dialect. */
final class OpenMpiUnderTest implements MpiUnderTest {
    /** Whether collectives are those that don't block, waited for at once. */
    private final boolean starts;

    OpenMpiUnderTest(boolean starts) {
        this.starts = starts;
    }

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

    /** From a part's offset on: what has no slices is given from its beginning. */
    static Object at(Part part) {
        Object array = part.array;
        int offset = part.offset;
        if (offset == 0) {
            return array;
        }
        Buffer slice = array instanceof int[]
                ? MPI.slice((int[]) array, offset)
                : array instanceof byte[]
                        ? MPI.slice((byte[]) array, offset)
                        : array instanceof char[]
                                ? MPI.slice((char[]) array, offset)
                                : array instanceof short[]
                                        ? MPI.slice((short[]) array, offset)
                                        : array instanceof long[]
                                                ? MPI.slice((long[]) array, offset)
                                                : array instanceof float[]
                                                        ? MPI.slice((float[]) array, offset)
                                                        : MPI.slice((double[]) array, offset);
        return slice;
    }

    /** A datatype. */
    static final class Kind implements Type {
        final Datatype type;

        Kind(Datatype type) {
            this.type = type;
        }

        @Override
        public int extent() throws MPIException {
            return type.getExtent();
        }

        @Override
        public int size() throws MPIException {
            return type.getSize();
        }

        @Override
        public int lower() throws MPIException {
            return type.getLb();
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
        public void free() throws MPIException {
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
            int source = status.getSource();
            return source == MPI.ANY_SOURCE ? ANY : source == MPI.PROC_NULL ? NOBODY : source;
        }

        @Override
        public int tag() {
            return status.getTag() == MPI.ANY_TAG ? ANY : status.getTag();
        }

        @Override
        public int index() {
            return defined(status.getIndex());
        }

        @Override
        public int count(Type type) throws MPIException {
            return defined(status.getCount(OpenMpiUnderTest.of(type)));
        }

        @Override
        public int elements(Type type) throws MPIException {
            return defined(status.getElements(OpenMpiUnderTest.of(type)));
        }

        @Override
        public boolean isCancelled() throws MPIException {
            return status.isCancelled();
        }
    }

    /** A request. */
    static final class Begun implements Pending {
        final Request request;

        Begun(Request request) {
            this.request = request;
        }

        @Override
        public Got await() throws MPIException {
            return Found.of(request.waitStatus());
        }

        @Override
        public Got test() throws MPIException {
            return Found.of(request.testStatus());
        }

        @Override
        public void cancel() throws MPIException {
            request.cancel();
        }

        @Override
        public boolean isNull() {
            return request.isNull();
        }

        @Override
        public void start() throws MPIException {
            ((Prequest) request).start();
        }
    }

    private static Request[] all(Pending... requests) {
        return Arrays.stream(requests).map(each -> ((Begun) each).request).toArray(Request[]::new);
    }

    @Override
    public boolean isMpijava() {
        return false;
    }

    @Override
    public String errorClass(Exception thrown) {
        int own = thrown instanceof MPIException ? ((MPIException) thrown).getErrorClass() : MPI.SUCCESS;
        return Arrays.stream(MPI.class.getFields())
                .filter(each -> each.getName().startsWith("ERR_") && value(each) == own)
                .map(Field::getName)
                .findFirst()
                .orElse("SUCCESS");
    }

    private static int value(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Comm world() {
        return new OpenMpiRanks(MPI.COMM_WORLD, starts);
    }

    @Override
    public Comm self() {
        return new OpenMpiRanks(MPI.COMM_SELF, starts);
    }

    @Override
    public Ranks noRanks() {
        return new OpenMpiGroup(MPI.GROUP_EMPTY);
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
            default:
                throw new IllegalArgumentException(name);
        }
    }

    @Override
    public Type type(String name) {
        return new Kind(named(name));
    }

    private static Type committed(Datatype type) throws MPIException {
        type.commit();
        return new Kind(type);
    }

    @Override
    public Type contiguous(int count, Type of) throws MPIException {
        return committed(Datatype.createContiguous(count, of(of)));
    }

    @Override
    public Type vector(int count, int length, int stride, Type of) throws MPIException {
        return committed(Datatype.createVector(count, length, stride, of(of)));
    }

    /** In bytes, of the ints that cases make such types of. */
    private static int[] bytes(int... elements) {
        return Arrays.stream(elements).map(each -> Integer.BYTES * each).toArray();
    }

    @Override
    public Type elementVector(int count, int length, int stride, Type of) throws MPIException {
        return committed(Datatype.createHVector(count, length, bytes(stride)[0], of(of)));
    }

    @Override
    public Type indexed(int[] lengths, int[] places, Type of) throws MPIException {
        return committed(Datatype.createIndexed(lengths, places, of(of)));
    }

    @Override
    public Type elementIndexed(int[] lengths, int[] places, Type of) throws MPIException {
        return committed(Datatype.createHIndexed(lengths, bytes(places), of(of)));
    }

    @Override
    public Type struct(int[] lengths, int[] places, Type... types) throws MPIException {
        Datatype[] all = Arrays.stream(types).map(OpenMpiUnderTest::of).toArray(Datatype[]::new);
        return committed(Datatype.createStruct(lengths, bytes(places), all));
    }

    @Override
    public void free(Type type) throws MPIException {
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
        UserFunction called = new UserFunction() {
            @Override
            public void call(Object in, Object inout, int count, Datatype type) {
                function.apply(in, 0, inout, 0, count);
            }
        };
        return new Reducing(new Op(called, isCommutative));
    }

    @Override
    public Object packBuffer(int bytes) {
        return new byte[bytes];
    }

    @Override
    public void attachBuffer(int bytes) throws MPIException {
        MPI.attachBuffer(new byte[bytes + MPI.BSEND_OVERHEAD]);
    }

    @Override
    public void detachBuffer() throws MPIException {
        MPI.detachBuffer();
    }

    @Override
    public Got awaitAny(Pending... requests) throws MPIException {
        return Found.of(Request.waitAnyStatus(all(requests)));
    }

    @Override
    public Got[] awaitAll(Pending... requests) throws MPIException {
        return Found.of(Request.waitAllStatus(all(requests)));
    }

    @Override
    public Got[] awaitSome(Pending... requests) throws MPIException {
        return Found.of(Request.waitSomeStatus(all(requests)));
    }

    @Override
    public Got testAny(Pending... requests) throws MPIException {
        return Found.of(Request.testAnyStatus(all(requests)));
    }

    @Override
    public Got[] testAll(Pending... requests) throws MPIException {
        return Found.of(Request.testAllStatus(all(requests)));
    }

    @Override
    public Got[] testSome(Pending... requests) throws MPIException {
        Got[] found = Found.of(Request.testSomeStatus(all(requests)));
        return found == null ? new Got[0] : found;
    }

    @Override
    public void startAll(Pending... requests) throws MPIException {
        Prequest.startAll(Arrays.copyOf(all(requests), requests.length, Prequest[].class));
    }

    @Override
    public int[] dims(int nodes, int... dims) throws MPIException {
        CartComm.createDims(nodes, dims);
        return dims;
    }
}
