package mpi;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import mpjbuf.ObjectSections;
import mpjdev.Constants;
import org.sluice.device.Device;
import org.sluice.device.ProcessId;
import org.sluice.mpi.Codec;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.ObjectSpace;
import org.sluice.mpi.OpenRequests;
import org.sluice.mpi.Reduction;
import xdev.ProcessID;

/**
 * Where a program begins and ends, and what all of it uses. State is static, one rank's for each class loader: ranks
 * that are threads of one JVM have loaders of their own.
 *
 * <p><i>Thread</i>: any; {@link #Init} and {@link #Finalize} once. <i>Fails</i>: {@link MPIException}.
 */
public class MPI {
    public static final boolean DEBUG = true;
    /** MPJ Express's older collectives, which there are none of. */
    public static boolean isOldSelected = false;

    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    public static int UNDEFINED = -1;

    public static Datatype NULL = new BasicType(Datatype.NULL);
    public static Datatype BYTE = new BasicType(1);
    public static Datatype CHAR = new BasicType(2);
    public static Datatype SHORT = new BasicType(3);
    public static Datatype BOOLEAN = new BasicType(4);
    public static Datatype INT = new BasicType(5);
    public static Datatype LONG = new BasicType(6);
    public static Datatype FLOAT = new BasicType(7);
    public static Datatype DOUBLE = new BasicType(8);
    /** Of a {@link mpjbuf.Buffer}; offset and count aren't looked at. */
    public static Datatype PACKED = new BasicType(Datatype.PACKED);
    /** In a struct: where an item begins. */
    public static Datatype LB = new BasicType(Datatype.LB);
    /** In a struct: where an item ends. */
    public static Datatype UB = new BasicType(Datatype.UB);

    public static Datatype OBJECT = new BasicType(Datatype.OBJECT);

    public static int THREAD_SINGLE = 1;
    public static int THREAD_FUNNELED = 2;
    public static int THREAD_SERIALIZED = 3;
    public static int THREAD_MULTIPLE = 4;

    public static Datatype SHORT2 = Datatype.Contiguous(2, SHORT);
    public static Datatype INT2 = Datatype.Contiguous(2, INT);
    public static Datatype LONG2 = Datatype.Contiguous(2, LONG);
    public static Datatype FLOAT2 = Datatype.Contiguous(2, FLOAT);
    public static Datatype DOUBLE2 = Datatype.Contiguous(2, DOUBLE);

    public static Op MAX = new Op(Reduction.MAX.named("MPI.MAX"), Constants.MAX_CODE);
    public static Op MIN = new Op(Reduction.MIN.named("MPI.MIN"), Constants.MIN_CODE);
    public static Op SUM = new Op(Reduction.SUM.named("MPI.SUM"), Constants.SUM_CODE);
    public static Op PROD = new Op(Reduction.PRODUCT.named("MPI.PROD"), Constants.PROD_CODE);
    public static Op LAND = new Op(Reduction.LOGICAL_AND.named("MPI.LAND"), Constants.LAND_CODE);
    public static Op BAND = new Op(Reduction.BITWISE_AND.named("MPI.BAND"), Constants.BAND_CODE);
    public static Op LOR = new Op(Reduction.LOGICAL_OR.named("MPI.LOR"), Constants.LOR_CODE);
    public static Op BOR = new Op(Reduction.BITWISE_OR.named("MPI.BOR"), Constants.BOR_CODE);
    public static Op LXOR = new Op(Reduction.LOGICAL_XOR.named("MPI.LXOR"), Constants.LXOR_CODE);
    public static Op BXOR = new Op(Reduction.BITWISE_XOR.named("MPI.BXOR"), Constants.BXOR_CODE);
    public static Op MAXLOC = new Op(Reduction.MAX_LOCATION.named("MPI.MAXLOC"), Constants.MAXLOC_CODE);
    public static Op MINLOC = new Op(Reduction.MIN_LOCATION.named("MPI.MINLOC"), Constants.MINLOC_CODE);

    public static int ANY_SOURCE = Device.ANY_SOURCE;
    public static int ANY_TAG = Comm.ANY_TAG;
    public static Status EMPTY_STATUS = Status.empty();
    public static int PROC_NULL = Comm.PROC_NULL;
    public static int BSEND_OVERHEAD;
    public static int SEND_OVERHEAD;
    public static int RECV_OVERHEAD;

    public static final int IDENT = 0;
    public static final int CONGRUENT = 3;
    public static final int SIMILAR = 1;
    public static final int UNEQUAL = 2;
    public static int GRAPH = 1;
    public static int CART = 2;

    public static Errhandler ERRORS_ARE_FATAL = new Errhandler();
    public static Errhandler ERRORS_RETURN = new Errhandler();

    /** A key of {@link Comm#Attr_get}; MPJ Express has the same number for all. */
    public static int TAG_UB;

    public static int HOST;
    public static int IO;

    private static final String BEFORE = "MPI.Init(args) wasn't called before: a program begins with it";
    private static final String BEHIND = "MPI.Finalize() was called before: nothing of MPI comes behind it";

    public static Intracomm COMM_WORLD = new Intracomm(BEFORE);
    public static Comm COMM_SELF = new Intracomm(BEFORE);
    public static Request REQUEST_NULL = new Request();
    public static Comm COMM_NULL = new Comm("MPI.COMM_NULL has no ranks");
    public static Group GROUP_EMPTY = new Group(Group.EMPTY);
    public static Group GROUP_NULL = new Group(Group.NULL);

    /** Buffered sends need some bytes each, of which programs for MPJ Express know nothing. */
    private static final int LEAST_BUFFERED_BYTES = 16;

    private static final int MOST_BUFFERED = 1 << 14;

    private static Device device;
    private static Communicator world;
    private static Codec<Object> codec;
    private static ProcessID[] ids;
    /** Who has called Init, or is in it. */
    private static Thread claimant;

    private static Thread mainThread;
    private static boolean isFinalized;
    private static boolean hasBuffer;
    private static Errhandler errhandler = ERRORS_ARE_FATAL;
    private static final org.sluice.device.Status SCRATCH = new org.sluice.device.Status();
    private static final OpenRequests<Request> OPEN = new OpenRequests<>(new Predicate<>() {
        @Override
        public boolean test(Request request) {
            return request.isOpen();
        }
    });
    private static final List<org.sluice.device.Request> BUFFERED = new ArrayList<>();

    public MPI() {}

    // --- begin and end -----------------------------------------------------------------------------------------------

    /**
     * Begins. All ranks call it.
     *
     * @param argv of {@code main}: with a rank, a configuration and a device in front, as MPJ Express's launchers give
     *     them, or without
     * @return the program's own arguments
     */
    public static String[] Init(String[] argv) throws MPIException {
        Class<?> caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        return init(argv, caller);
    }

    /** As {@link #Init}: threads may always call at once. */
    public static String[] initThread(int required, int provided, String[] argv) {
        Class<?> caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        return init(argv, caller);
    }

    private static String[] init(String[] argv, Class<?> caller) {
        claim();
        try {
            OneDialect.check(MPI.class.getClassLoader());
            Device opened = Device.open();
            String[] given = argv == null ? new String[0] : argv;
            String[] own = LauncherArguments.own(given, opened.rank(), System.getProperty(LauncherArguments.DEVICE));
            begin(opened, caller);
            return own;
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        } finally {
            if (device == null) {
                claimant = null;
            }
        }
    }

    /** Opening waits for all ranks, and so for one that would wait here. */
    private static synchronized void claim() {
        if (isFinalized) {
            throw new MPIException(BEHIND + "; it can't be begun again");
        }
        if (claimant != null) {
            throw new MPIException("MPI.Init was called before, by the thread " + claimant.getName()
                    + ": it is called once a rank. Ranks that are threads of one JVM need class loaders of their own:"
                    + " start them with ./sluice run --jvms 1, or with mpjrun.sh -dev multicore");
        }
        claimant = Thread.currentThread();
    }

    private static void begin(Device opened, Class<?> caller) {
        device = opened;
        world = Communicator.world(opened, new Names());
        codec = ObjectSpace.codec(world, caller);
        ObjectSections.use(codec);
        mainThread = Thread.currentThread();
        List<ProcessId> peers = opened.peers();
        ids = new ProcessID[peers.size()];
        for (int rank = 0; rank < ids.length; rank++) {
            ids[rank] = new ProcessID(peers.get(rank).uuid());
        }
        COMM_WORLD.open(world, world.group(), null);
        Communicator self = Communicator.self(opened);
        COMM_SELF.open(self, self.group(), null);
    }

    /** Ends, once all ranks do. What was sent is received before; a request that nobody completes is told. */
    public static void Finalize() throws MPIException {
        end();
    }

    private static synchronized void end() {
        Device closing = device();
        int open = 0;
        try {
            detach();
            world.finish();
            open = OPEN.awaitNone();
            // Before others close: what was begun to them would end by that, and be counted no more.
            world.finish();
        } catch (RuntimeException e) {
            // Where a rank has died this one ends as it should all the same.
            MPIException told = MPIException.of(e);
            try {
                close(closing);
            } catch (RuntimeException alsoFailed) {
                told.addSuppressed(alsoFailed);
            }
            throw told;
        }
        try {
            close(closing);
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
        if (open > 0) {
            throw new MPIException("MPI.Finalize was called with " + open + " request(s) that nobody completes:"
                    + " each receive needs its send, each send its receive, and Wait before Finalize");
        }
    }

    private static void close(Device closing) {
        COMM_WORLD.close(BEHIND);
        COMM_SELF.close(BEHIND);
        device = null;
        isFinalized = true;
        closing.close();
    }

    /** Whether {@link #Init} was called, and {@link #Finalize} wasn't. */
    public static boolean Initialized() throws MPIException {
        return isOpen();
    }

    /** Whether this is the thread that called {@link #Init}. */
    public static boolean isMainThread() {
        return Thread.currentThread() == mainThread;
    }

    /** {@code MPI.THREAD_MULTIPLE}. */
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    // --- buffered sends ----------------------------------------------------------------------------------------------

    /**
     * Has buffered sends take so much memory: the messages that are on their way, as {@link Comm#Pack_size} counts
     * them. The buffer itself isn't used.
     */
    public static void Buffer_attach(ByteBuffer userBuffer) throws MPIException {
        attach(userBuffer);
    }

    private static void attach(ByteBuffer userBuffer) {
        Device known = device();
        if (userBuffer == null) {
            throw new MPIException("the buffer is null: ByteBuffer.allocate gives one");
        }
        long bytes = userBuffer.capacity();
        long messages = Math.min(bytes / LEAST_BUFFERED_BYTES + 1, MOST_BUFFERED);
        long room = Math.min(bytes + messages * Communicator.BUFFERED_OVERHEAD, Integer.MAX_VALUE - Long.BYTES);
        try {
            detach();
            synchronized (MPI.class) {
                Communicator.attachBuffer(known, new byte[(int) room]);
                hasBuffer = true;
            }
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Waits until all buffered sends have left. */
    public static void Buffer_detach() throws MPIException {
        device();
        try {
            detach();
        } catch (RuntimeException e) {
            throw MPIException.of(e);
        }
    }

    /** Waits without a lock: what it waits for may be received only after a buffered send of another thread. */
    private static void detach() {
        List<org.sluice.device.Request> leaving;
        synchronized (BUFFERED) {
            leaving = new ArrayList<>(BUFFERED);
            BUFFERED.clear();
        }
        for (org.sluice.device.Request each : leaving) {
            each.waitFor(new org.sluice.device.Status());
        }
        synchronized (MPI.class) {
            if (!hasBuffer) {
                return;
            }
            hasBuffer = false;
        }
        Communicator.detachBuffer(device);
    }

    static synchronized void checkBuffered() {
        if (!hasBuffer) {
            throw new MPIException("no buffer is attached for buffered sends: call MPI.Buffer_attach before, with a"
                    + " ByteBuffer of what Pack_size says for each message");
        }
    }

    /** One that nobody waits for before the buffer is detached. */
    static void buffered(org.sluice.device.Request request) {
        synchronized (BUFFERED) {
            BUFFERED.removeIf(org.sluice.device.Request::isDone);
            BUFFERED.add(request);
        }
    }

    // --- what is asked of it -----------------------------------------------------------------------------------------

    /** This node's. */
    public static String Get_processor_name() throws MPIException {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (IOException unknown) {
                throw MPIException.of(unknown);
            }
        }
    }

    /** Changes nothing: all errors are thrown. */
    public static void Errorhandler_set(Errhandler newErrhandler) throws MPIException {
        errhandler = newErrhandler;
    }

    /** The one that was set last. */
    public static Errhandler Errorhandler_get() throws MPIException {
        return errhandler;
    }

    /** Seconds since some time ago. */
    public static double Wtime() throws MPIException {
        return System.nanoTime() * 1e-9;
    }

    /** Seconds from one value of {@link #Wtime} to the next. */
    public static double Wtick() throws MPIException {
        return 1e-9;
    }

    // --- for the package ---------------------------------------------------------------------------------------------

    static boolean isOpen() {
        return device != null;
    }

    static Device device() {
        Device known = device;
        if (known == null) {
            throw new MPIException(isFinalized ? BEHIND : BEFORE);
        }
        return known;
    }

    static Communicator world() {
        device();
        return world;
    }

    static Codec<Object> codec() {
        device();
        return codec;
    }

    static ProcessID id(int rankInJob) {
        return ids[rankInJob];
    }

    /** A status that a call may use until it returns: the main thread's is always the same. */
    static org.sluice.device.Status scratch() {
        return Thread.currentThread() == mainThread ? SCRATCH : new org.sluice.device.Status();
    }

    static void begun(Request request) {
        OPEN.add(request);
    }
}
