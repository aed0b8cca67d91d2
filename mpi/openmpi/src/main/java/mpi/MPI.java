package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.sluice.device.Device;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.MessageForms;
import org.sluice.mpi.OpenRequests;
import org.sluice.mpi.Reduction;

/**
 * What a rank has: its communicators, MPI's constants with Open MPI's values, and its beginning and end. One rank for
 * each class loader.
 *
 * <p><i>Thread</i>: any, as with MPI_THREAD_MULTIPLE; collectives of one communicator one thread after the other.
 */
public final class MPI {
    public static final int THREAD_SINGLE = 0;
    public static final int THREAD_FUNNELED = 1;
    public static final int THREAD_SERIALIZED = 2;
    public static final int THREAD_MULTIPLE = 3;
    public static final int GRAPH = 2;
    public static final int DIST_GRAPH = 3;
    public static final int CART = 1;
    public static final int ANY_SOURCE = -1;
    public static final int ANY_TAG = -1;
    public static final int PROC_NULL = -2;
    public static final int UNDEFINED = -32766;
    public static final int IDENT = 0;
    public static final int CONGRUENT = 1;
    public static final int SIMILAR = 2;
    public static final int UNEQUAL = 3;
    public static final int TAG_UB = 0;
    public static final int HOST = 1;
    public static final int IO = 2;
    public static final int WTIME_IS_GLOBAL = 3;
    public static final int APPNUM = 4;
    public static final int LASTUSEDCODE = 5;
    public static final int UNIVERSE_SIZE = 6;
    public static final int WIN_BASE = 7;
    public static final int WIN_SIZE = 8;
    public static final int WIN_DISP_UNIT = 9;
    public static final int VERSION = 3;
    public static final int SUBVERSION = 1;
    public static final int ROOT = -4;
    public static final int KEYVAL_INVALID = -1;
    public static final int BSEND_OVERHEAD = 128;
    public static final int MAX_OBJECT_NAME = 64;
    public static final int MAX_PORT_NAME = 1024;
    public static final int MAX_DATAREP_STRING = 128;
    public static final int MAX_INFO_KEY = 36;
    public static final int MAX_INFO_VAL = 256;
    public static final int ORDER_C = 0;
    public static final int ORDER_FORTRAN = 1;
    public static final int DISTRIBUTE_BLOCK = 0;
    public static final int DISTRIBUTE_CYCLIC = 1;
    public static final int DISTRIBUTE_NONE = 2;
    public static final int DISTRIBUTE_DFLT_DARG = -1;
    public static final int MODE_CREATE = 1;
    public static final int MODE_RDONLY = 2;
    public static final int MODE_WRONLY = 4;
    public static final int MODE_RDWR = 8;
    public static final int MODE_DELETE_ON_CLOSE = 16;
    public static final int MODE_UNIQUE_OPEN = 32;
    public static final int MODE_EXCL = 64;
    public static final int MODE_APPEND = 128;
    public static final int MODE_SEQUENTIAL = 256;
    public static final int DISPLACEMENT_CURRENT = -54278278;
    public static final int SEEK_SET = 600;
    public static final int SEEK_CUR = 602;
    public static final int SEEK_END = 604;
    public static final int MODE_NOCHECK = 1;
    public static final int MODE_NOPRECEDE = 2;
    public static final int MODE_NOPUT = 4;
    public static final int MODE_NOSTORE = 8;
    public static final int MODE_NOSUCCEED = 16;
    public static final int LOCK_EXCLUSIVE = 1;
    public static final int LOCK_SHARED = 2;

    // Classes of errors.
    public static final int SUCCESS = 0;
    public static final int ERR_BUFFER = 1;
    public static final int ERR_COUNT = 2;
    public static final int ERR_TYPE = 3;
    public static final int ERR_TAG = 4;
    public static final int ERR_COMM = 5;
    public static final int ERR_RANK = 6;
    public static final int ERR_REQUEST = 7;
    public static final int ERR_ROOT = 8;
    public static final int ERR_GROUP = 9;
    public static final int ERR_OP = 10;
    public static final int ERR_TOPOLOGY = 11;
    public static final int ERR_DIMS = 12;
    public static final int ERR_ARG = 13;
    public static final int ERR_UNKNOWN = 14;
    public static final int ERR_TRUNCATE = 15;
    public static final int ERR_OTHER = 16;
    public static final int ERR_INTERN = 17;
    public static final int ERR_IN_STATUS = 18;
    public static final int ERR_PENDING = 19;
    public static final int ERR_ACCESS = 20;
    public static final int ERR_AMODE = 21;
    public static final int ERR_ASSERT = 22;
    public static final int ERR_BAD_FILE = 23;
    public static final int ERR_BASE = 24;
    public static final int ERR_CONVERSION = 25;
    public static final int ERR_DISP = 26;
    public static final int ERR_DUP_DATAREP = 27;
    public static final int ERR_FILE_EXISTS = 28;
    public static final int ERR_FILE_IN_USE = 29;
    public static final int ERR_FILE = 30;
    public static final int ERR_INFO_KEY = 31;
    public static final int ERR_INFO_NOKEY = 32;
    public static final int ERR_INFO_VALUE = 33;
    public static final int ERR_INFO = 34;
    public static final int ERR_IO = 35;
    public static final int ERR_KEYVAL = 36;
    public static final int ERR_LOCKTYPE = 37;
    public static final int ERR_NAME = 38;
    public static final int ERR_NO_MEM = 39;
    public static final int ERR_NOT_SAME = 40;
    public static final int ERR_NO_SPACE = 41;
    public static final int ERR_NO_SUCH_FILE = 42;
    public static final int ERR_PORT = 43;
    public static final int ERR_QUOTA = 44;
    public static final int ERR_READ_ONLY = 45;
    public static final int ERR_RMA_CONFLICT = 46;
    public static final int ERR_RMA_SYNC = 47;
    public static final int ERR_SERVICE = 48;
    public static final int ERR_SIZE = 49;
    public static final int ERR_SPAWN = 50;
    public static final int ERR_UNSUPPORTED_DATAREP = 51;
    public static final int ERR_UNSUPPORTED_OPERATION = 52;
    public static final int ERR_WIN = 53;
    public static final int ERR_PROC_ABORTED = 74;
    public static final int ERR_LASTCODE = 92;
    public static final int ERR_SYSRESOURCE = -2;

    // First: what is made below has them.
    static final Errhandler THROWING = new Errhandler(false);

    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(true);
    public static final Errhandler ERRORS_ABORT = new Errhandler(true);
    /** Errors are thrown: what communicators have at first. */
    public static final Errhandler ERRORS_RETURN = THROWING;

    public static final Intracomm COMM_WORLD = new Intracomm(null);
    public static final Intracomm COMM_SELF = new Intracomm(null);

    public static final Datatype DATATYPE_NULL = Datatype.none();
    public static final Datatype BYTE = Datatype.of(ElementType.BYTE, "MPI_BYTE");
    public static final Datatype CHAR = Datatype.of(ElementType.CHAR, "MPI_CHAR");
    public static final Datatype SHORT = Datatype.of(ElementType.SHORT, "MPI_SHORT");
    public static final Datatype BOOLEAN = Datatype.of(ElementType.BOOLEAN, "MPI_BOOLEAN");
    public static final Datatype INT = Datatype.of(ElementType.INT, "MPI_INT");
    public static final Datatype LONG = Datatype.of(ElementType.LONG, "MPI_LONG");
    public static final Datatype FLOAT = Datatype.of(ElementType.FLOAT, "MPI_FLOAT");
    public static final Datatype DOUBLE = Datatype.of(ElementType.DOUBLE, "MPI_DOUBLE");
    public static final Datatype PACKED = Datatype.of(ElementType.BYTE, "MPI_PACKED");
    public static final Datatype FLOAT_COMPLEX = Datatype.complex(ElementType.FLOAT, "MPI_C_FLOAT_COMPLEX");
    public static final Datatype DOUBLE_COMPLEX = Datatype.complex(ElementType.DOUBLE, "MPI_C_DOUBLE_COMPLEX");
    public static final Datatype INT2 = Datatype.pair(ElementType.INT, "MPI_2INT");
    public static final Datatype SHORT_INT = Datatype.pair(ElementType.SHORT, "MPI_SHORT_INT");
    public static final Datatype LONG_INT = Datatype.pair(ElementType.LONG, "MPI_LONG_INT");
    public static final Datatype FLOAT_INT = Datatype.pair(ElementType.FLOAT, "MPI_FLOAT_INT");
    public static final Datatype DOUBLE_INT = Datatype.pair(ElementType.DOUBLE, "MPI_DOUBLE_INT");

    public static final Int2 int2 = new Int2();
    public static final ShortInt shortInt = new ShortInt();
    public static final LongInt longInt = new LongInt();
    public static final FloatInt floatInt = new FloatInt();
    public static final DoubleInt doubleInt = new DoubleInt();

    public static final Op MAX = new Op("MPI_MAX", Reduction.MAX);
    public static final Op MIN = new Op("MPI_MIN", Reduction.MIN);
    public static final Op SUM = new Op("MPI_SUM", Reduction.SUM);
    public static final Op PROD = new Op("MPI_PROD", Reduction.PRODUCT);
    public static final Op LAND = new Op("MPI_LAND", Reduction.LOGICAL_AND);
    public static final Op BAND = new Op("MPI_BAND", Reduction.BITWISE_AND);
    public static final Op LOR = new Op("MPI_LOR", Reduction.LOGICAL_OR);
    public static final Op BOR = new Op("MPI_BOR", Reduction.BITWISE_OR);
    public static final Op LXOR = new Op("MPI_LXOR", Reduction.LOGICAL_XOR);
    public static final Op BXOR = new Op("MPI_BXOR", Reduction.BITWISE_XOR);
    public static final Op MINLOC = new Op("MPI_MINLOC", Reduction.MIN_LOCATION);
    public static final Op MAXLOC = new Op("MPI_MAXLOC", Reduction.MAX_LOCATION);
    public static final Op REPLACE = new Op("MPI_REPLACE", null);
    public static final Op NO_OP = new Op("MPI_NO_OP", null);

    public static final Request REQUEST_NULL = new Request(null);
    public static final Group GROUP_EMPTY = new Group(org.sluice.mpi.Group.EMPTY);
    public static final Info INFO_ENV = Info.environment();
    public static final Info INFO_NULL = Info.none();

    private enum State {
        /** Entered at first, left by Init. */
        NEW,
        /** Entered by Init, left by Finalize. */
        RUNNING,
        /** Entered by Finalize, never left. */
        OVER
    }

    /** Each jar with a package mpi of Sluice's has this, to be found beside the other. */
    private static final String DIALECT = "META-INF/sluice-mpi-dialect";

    private static final OpenRequests<Request> OPEN = new OpenRequests<>(new Predicate<>() {
        @Override
        public boolean test(Request request) {
            return request.isOpen();
        }
    });

    private static volatile State state = State.NEW;
    private static Device device;
    private static Communicator world;
    private static int threads;
    private static volatile boolean hasBuffer;
    private static Thread mainThread;
    private static final org.sluice.device.Status SCRATCH = new org.sluice.device.Status();

    public MPI() {}

    // --- beginning and end -------------------------------------------------------------------------------------------

    /**
     * MPI_Init: returns when all ranks have called it.
     *
     * @return the arguments as they were
     */
    public static String[] Init(String[] args) throws MPIException {
        open(THREAD_SINGLE);
        return args;
    }

    /**
     * MPI_Init_thread.
     *
     * @return what was asked for, as threads may always do all
     */
    public static int InitThread(String[] args, int required) throws MPIException {
        if (required < THREAD_SINGLE || required > THREAD_MULTIPLE) {
            throw Errors.of(ERR_ARG, "thread level " + required + ": MPI.THREAD_SINGLE to MPI.THREAD_MULTIPLE");
        }
        open(required);
        return required;
    }

    private static synchronized void open(int required) throws MPIException {
        refuseInitialized();
        refuseTwoDialects();
        try {
            start(Device.open(), required);
        } catch (RuntimeException e) {
            throw Errors.of(e);
        }
    }

    /** Both have a package mpi: which classes a program would get of which, nobody can tell. */
    private static void refuseTwoDialects() throws MPIException {
        try {
            // By their names: the jar of one may well be found by several ways.
            Map<String, URL> dialects = new TreeMap<>();
            for (URL mark : Collections.list(MPI.class.getClassLoader().getResources(DIALECT))) {
                try (InputStream in = mark.openStream()) {
                    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    dialects.putIfAbsent(text.split("\\W", 2)[0], mark);
                }
            }
            if (dialects.size() > 1) {
                throw Errors.of(
                        ERR_OTHER,
                        "the class path has several jars with a package mpi of Sluice's: " + dialects.values()
                                + ". Leave in the one that the program was written for");
            }
        } catch (IOException e) {
            throw new MPIException(ERR_OTHER, "the class path can't be read: " + e.getMessage(), e);
        }
    }

    private static void refuseInitialized() throws MPIException {
        if (state != State.NEW) {
            throw Errors.of(
                    ERR_OTHER,
                    "MPI is initialized: MPI.Init is called once in a rank. Ranks that are threads of one JVM need"
                            + " a class loader each, as ./sluice run gives them");
        }
    }

    /** With a device that is there. */
    static synchronized void start(Device opened, int required) throws MPIException {
        refuseInitialized();
        device = opened;
        world = Communicator.world(opened, new Names());
        threads = required;
        mainThread = Thread.currentThread();
        COMM_WORLD.begin(world, "MPI_COMM_WORLD");
        COMM_SELF.begin(Communicator.self(opened), "MPI_COMM_SELF");
        state = State.RUNNING;
    }

    /** MPI_Query_thread. */
    public static int queryThread() throws MPIException {
        check();
        return threads;
    }

    /** MPI_Is_thread_main: whether this thread has called Init. */
    public static boolean isThreadMain() throws MPIException {
        check();
        return Thread.currentThread() == mainThread;
    }

    /** MPI_Finalize, which all ranks call. Requests have to be over, or freed. */
    public static synchronized void Finalize() throws MPIException {
        check();
        int open = 0;
        try {
            // A rank that is still in another collective is found here.
            world.finish();
            open = OPEN.awaitNone();
            // Before others close: what was begun to them would end by that, and be counted no more.
            world.finish();
        } catch (RuntimeException e) {
            // Where a rank has died this one ends as it should all the same.
            MPIException told = Errors.of(e);
            try {
                close();
            } catch (MPIException alsoFailed) {
                told.addSuppressed(alsoFailed);
            }
            throw told;
        }
        if (open > 0) {
            throw Errors.of(
                    ERR_PENDING,
                    open + " request(s) were begun that nobody completes: each receive needs its send, each send its"
                            + " receive, and waitFor or Request.waitAll before MPI.Finalize");
        }
        close();
    }

    private static void close() throws MPIException {
        state = State.OVER;
        try {
            device.close();
        } catch (RuntimeException e) {
            throw new MPIException(ERR_OTHER, e.getMessage(), e);
        }
    }

    /** MPI_Initialized. */
    public static boolean isInitialized() throws MPIException {
        return state != State.NEW;
    }

    /** MPI_Finalized. */
    public static boolean isFinalized() throws MPIException {
        return isOver();
    }

    /** A status that a call may use until it returns: the main thread's is always the same. */
    static org.sluice.device.Status scratch() {
        return Thread.currentThread() == mainThread ? SCRATCH : new org.sluice.device.Status();
    }

    static boolean isOver() {
        return state == State.OVER;
    }

    static void check() throws MPIException {
        if (state != State.RUNNING) {
            throw Errors.of(
                    ERR_OTHER,
                    isOver()
                            ? "MPI is finalized: no call comes after MPI.Finalize"
                            : "MPI is not initialized: call MPI.Init(args) first");
        }
    }

    static Device device() throws MPIException {
        check();
        return device;
    }

    /** Ends the job, or this JVM if no job was begun. */
    static void abort(int status, String reason) {
        if (device == null) {
            System.exit(1);
        }
        device.abort(status, reason);
    }

    static Communicator world() throws MPIException {
        check();
        return world;
    }

    /** Of a request that is to be over before Finalize. */
    static void begun(Request request) {
        OPEN.add(request);
    }

    // --- the environment ---------------------------------------------------------------------------------------------

    /** MPI_Wtime: seconds since some time in the past. */
    public static double wtime() throws MPIException {
        check();
        return System.nanoTime() * 1e-9;
    }

    /** MPI_Wtick: the resolution of {@link #wtime}, in seconds. */
    public static double wtick() throws MPIException {
        check();
        return 1e-9;
    }

    /** MPI_Get_version: of the standard, as Open MPI 5.0 has it. */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /** MPI_Get_library_version. */
    public static String getLibVersion() {
        String version = Device.class.getPackage().getImplementationVersion();
        return "Sluice" + (version == null ? "" : " " + version);
    }

    /** MPI_Get_processor_name: the host's. */
    public static String getProcessorName() throws MPIException {
        check();
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException e) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }

    /** MPI_Buffer_attach: for bSend. Each message takes its bytes and {@link #BSEND_OVERHEAD}. */
    public static void attachBuffer(byte[] buffer) throws MPIException {
        try {
            MessageForms.attachBuffer(device(), buffer);
            hasBuffer = true;
        } catch (RuntimeException e) {
            throw Errors.of(e);
        }
    }

    /** MPI_Buffer_detach: waits until all buffered messages have left. */
    public static byte[] detachBuffer() throws MPIException {
        try {
            byte[] detached = (byte[]) MessageForms.detachBuffer(device());
            hasBuffer = false;
            return detached;
        } catch (RuntimeException e) {
            throw Errors.of(e);
        }
    }

    static void checkBuffered(int dest) throws MPIException {
        if (!hasBuffer && dest != PROC_NULL) {
            throw Errors.of(
                    ERR_BUFFER,
                    "no buffer is attached for buffered sends: call MPI.attachBuffer before, with a byte[] of what"
                            + " packSize says for each message and MPI.BSEND_OVERHEAD");
        }
    }

    /** MPI_Pcontrol: does nothing. */
    public static void pControl(int level, Object obj) {}

    // --- buffers -----------------------------------------------------------------------------------------------------

    /** A direct buffer of so many bytes, in the machine's byte order. */
    public static ByteBuffer newByteBuffer(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    }

    /** A direct buffer of so many chars, in the machine's byte order. */
    public static CharBuffer newCharBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Character.BYTES)).asCharBuffer();
    }

    /** A direct buffer of so many shorts, in the machine's byte order. */
    public static ShortBuffer newShortBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Short.BYTES)).asShortBuffer();
    }

    /** A direct buffer of so many ints, in the machine's byte order. */
    public static IntBuffer newIntBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Integer.BYTES)).asIntBuffer();
    }

    /** A direct buffer of so many longs, in the machine's byte order. */
    public static LongBuffer newLongBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Long.BYTES)).asLongBuffer();
    }

    /** A direct buffer of so many floats, in the machine's byte order. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Float.BYTES)).asFloatBuffer();
    }

    /** A direct buffer of so many doubles, in the machine's byte order. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, Double.BYTES)).asDoubleBuffer();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice().order(buf.order());
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What a buffer has from an element on; moves the buffer's position there, as Open MPI does. */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        buf.position(offset);
        return buf.slice();
    }

    /** What an array has from an element on. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return ByteBuffer.wrap(buf, offset, buf.length - offset).slice().order(ByteOrder.nativeOrder());
    }

    /** What an array has from an element on. */
    public static CharBuffer slice(char[] buf, int offset) {
        return CharBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** What an array has from an element on. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return ShortBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** What an array has from an element on. */
    public static IntBuffer slice(int[] buf, int offset) {
        return IntBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** What an array has from an element on. */
    public static LongBuffer slice(long[] buf, int offset) {
        return LongBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** What an array has from an element on. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return FloatBuffer.wrap(buf, offset, buf.length - offset).slice();
    }

    /** What an array has from an element on. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return DoubleBuffer.wrap(buf, offset, buf.length - offset).slice();
    }
}
