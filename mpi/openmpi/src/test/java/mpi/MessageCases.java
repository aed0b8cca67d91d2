package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.Device;
import org.sluice.mpi.Communicator;

/** What one rank of four does. */
final class MessageCases {
    private static int rank;
    private static int left;
    private static int right;

    private MessageCases() {}

    static void run(Device device, String method) throws Throwable {
        MPIException early = assertThrows(MPIException.class, () -> MPI.COMM_WORLD.getRank());
        assertTrue(early.getMessage().contains("MPI.Init"), early.getMessage());
        MPI.start(device, MPI.THREAD_MULTIPLE);
        rank = MPI.COMM_WORLD.getRank();
        right = (rank + 1) % 4;
        left = (rank + 3) % 4;
        try {
            MessageCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        MPI.COMM_WORLD.barrier();
        MPI.Finalize();
        assertTrue(MPI.isFinalized());
        assertThrows(MPIException.class, () -> MPI.COMM_WORLD.barrier());
    }

    private static void fails(int errorClass, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
    }

    public static void arraysOfEachType() throws MPIException {
        Object[] sent = {
            new byte[] {1, 2}, new char[] {'a', 'b'}, new short[] {3, 4}, new boolean[] {true, false},
            new int[] {5, 6}, new long[] {7, 8}, new float[] {9, 10}, new double[] {11, 12}
        };
        Object[] got = {
            new byte[2], new char[2], new short[2], new boolean[2], new int[2], new long[2], new float[2], new double[2]
        };
        Datatype[] types = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE};
        for (int i = 0; i < types.length; i++) {
            Request send = MPI.COMM_WORLD.iSend(sent[i], 2, types[i], right, i);
            Status status = MPI.COMM_WORLD.recv(got[i], 2, types[i], left, MPI.ANY_TAG);
            send.waitFor();
            assertEquals(i, status.getTag());
            assertEquals(left, status.getSource());
            assertEquals(2, status.getCount(types[i]));
            assertEquals(2, status.getElements(types[i]));
        }
        assertTrue(Arrays.deepEquals(sent, got));
    }

    public static void buffersBeginAtTheirElement0() throws MPIException {
        DoubleBuffer out = MPI.newDoubleBuffer(4);
        out.put(rank).put(2).put(3);
        ByteBuffer heap = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
        heap.position(16);
        Request send = MPI.COMM_WORLD.iSend(out, 3, MPI.DOUBLE, right, 0);
        Status status = MPI.COMM_WORLD.recv(heap, 4, MPI.DOUBLE, left, 0);
        send.waitFor();
        assertEquals(3, status.getCount(MPI.DOUBLE));
        assertEquals(left, heap.getDouble(0));
        assertEquals(3, heap.getDouble(16));
        assertEquals(16, heap.position());
        assertEquals(3, out.position());
        int[] array = {0, 1, rank, 3};
        IntBuffer in = IntBuffer.allocate(2);
        send = MPI.COMM_WORLD.iSend(MPI.slice(array, 2), 2, MPI.INT, right, 0);
        MPI.COMM_WORLD.recv(in, 2, MPI.INT, left, 0);
        send.waitFor();
        assertEquals(left, in.get(0));
        assertEquals(3, in.get(1));
    }

    public static void kindsOfSends() throws MPIException {
        byte[] space = new byte[1000 + MPI.BSEND_OVERHEAD];
        MPI.attachBuffer(space);
        int[] own = {rank};
        int[] got = {-1};
        MPI.COMM_WORLD.bSend(own, 1, MPI.INT, right, 1);
        MPI.COMM_WORLD.recv(got, 1, MPI.INT, left, 1);
        assertEquals(left, got[0]);
        assertSame(space, MPI.detachBuffer());
        Request[] sends = {
            MPI.COMM_WORLD.isSend(own, 1, MPI.INT, right, 2), MPI.COMM_WORLD.irSend(own, 1, MPI.INT, right, 3)
        };
        assertEquals(
                left, MPI.COMM_WORLD.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, 2).getSource());
        MPI.COMM_WORLD.recv(got, 1, MPI.INT, left, 3);
        Request.waitAll(sends);
        assertTrue(sends[0].isNull());
        Status both = MPI.COMM_WORLD.sendRecv(own, 1, MPI.INT, left, 4, got, 1, MPI.INT, right, 4);
        assertEquals(right, both.getSource());
        assertEquals(right, got[0]);
        MPI.COMM_WORLD.sendRecvReplace(own, 1, MPI.INT, left, 5, right, 5);
        assertEquals(right, own[0]);
        Status nobody = MPI.COMM_WORLD.recv(got, 1, MPI.INT, MPI.PROC_NULL, 0);
        assertEquals(MPI.PROC_NULL, nobody.getSource());
        assertEquals(MPI.ANY_TAG, nobody.getTag());
        assertEquals(0, nobody.getCount(MPI.INT));
        MPI.COMM_WORLD.send(own, 1, MPI.INT, MPI.PROC_NULL, 0);
        MPI.COMM_WORLD.send(null, 0, MPI.INT, MPI.PROC_NULL, 0);
    }

    private static void pingPong(Object buffer, int count, Datatype type, int rounds) throws MPIException {
        for (int i = 0; i < rounds; i++) {
            if (rank == 0) {
                MPI.COMM_WORLD.send(buffer, count, type, 1, 0);
                MPI.COMM_WORLD.recv(buffer, count, type, 1, 0);
            } else {
                MPI.COMM_WORLD.recv(buffer, count, type, 0, 0);
                MPI.COMM_WORLD.send(buffer, count, type, 0, 0);
            }
        }
    }

    /** What the dialect is thin over, with one status again and again. */
    private static void plainPingPong(Object buffer, int count, int rounds) throws MPIException {
        Communicator plain = MPI.world();
        org.sluice.device.Status status = new org.sluice.device.Status();
        for (int i = 0; i < rounds; i++) {
            if (rank == 0) {
                plain.send(buffer, 0, count, 1, 0);
                plain.recv(buffer, 0, count, 1, 0, status);
            } else {
                plain.recv(buffer, 0, count, 0, 0, status);
                plain.send(buffer, 0, count, 0, 0);
            }
        }
    }

    /** A receive makes its two statuses, and a send nothing. */
    public static void messagesAllocateNoMoreThanStatuses() throws MPIException {
        if (rank > 1) {
            return;
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Object[] buffers = {new double[8], MPI.newDoubleBuffer(8), MPI.newByteBuffer(64)};
        int[] units = {4, 4, 32};
        for (int i = 0; i < buffers.length; i++) {
            plainPingPong(buffers[i], units[i], 20_000);
            long before = threads.getCurrentThreadAllocatedBytes();
            plainPingPong(buffers[i], units[i], 10_000);
            long plain = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000;
            pingPong(buffers[i], 4, MPI.DOUBLE, 20_000);
            before = threads.getCurrentThreadAllocatedBytes();
            pingPong(buffers[i], 4, MPI.DOUBLE, 10_000);
            long each = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000;
            String found = each + " bytes, and " + plain + " of what is below, for a "
                    + buffers[i].getClass().getSimpleName();
            assertTrue(each - plain <= 104, found);
        }
    }

    public static void probes() throws MPIException {
        Request send = MPI.COMM_WORLD.iSend(new int[] {rank, 2}, 2, MPI.INT, right, 9);
        Status status = MPI.COMM_WORLD.probe(left, MPI.ANY_TAG);
        assertEquals(2, status.getCount(MPI.INT));
        assertEquals(MPI.UNDEFINED, status.getCount(Datatype.createContiguous(3, MPI.INT)));
        assertNotNull(MPI.COMM_WORLD.iProbe(left, 9));
        assertNull(MPI.COMM_WORLD.iProbe(left, 10));
        Message message = new Message();
        assertTrue(message.isNull());
        assertNull(message.imProbe(left, 10, MPI.COMM_WORLD));
        message.mProbe(left, 9, MPI.COMM_WORLD);
        assertFalse(message.isNull());
        int[] got = new int[2];
        assertEquals(9, message.mRecv(got, 2, MPI.INT).getTag());
        assertEquals(left, got[0]);
        assertTrue(message.isNull());
        fails(MPI.ERR_REQUEST, () -> message.mRecv(got, 2, MPI.INT));
        send.waitFor();
        message.mProbe(MPI.PROC_NULL, 0, MPI.COMM_WORLD);
        assertTrue(message.isNoProc());
        message.mRecv(got, 2, MPI.INT);
    }

    public static void severalRequests() throws MPIException {
        int[][] got = new int[3][1];
        Request[] requests = new Request[4];
        for (int i = 0; i < 3; i++) {
            requests[i] = MPI.COMM_WORLD.iRecv(got[i], 1, MPI.INT, left, i);
        }
        requests[3] = MPI.REQUEST_NULL;
        assertEquals(MPI.UNDEFINED, Request.testAny(requests));
        assertNull(Request.testAllStatus(requests));
        assertEquals(0, Request.testSome(requests).length);
        MPI.COMM_WORLD.barrier();
        MPI.COMM_WORLD.send(new int[] {11}, 1, MPI.INT, right, 1);
        Status any = Request.waitAnyStatus(requests);
        assertEquals(1, any.getIndex());
        assertEquals(1, any.getTag());
        assertEquals(11, got[1][0]);
        MPI.COMM_WORLD.barrier();
        MPI.COMM_WORLD.send(new int[] {10}, 1, MPI.INT, right, 0);
        assertArrayEquals(new int[] {0}, Request.waitSome(requests));
        MPI.COMM_WORLD.barrier();
        MPI.COMM_WORLD.send(new int[] {12}, 1, MPI.INT, right, 2);
        Status[] all = Request.waitAllStatus(requests);
        assertEquals(2, all[2].getTag());
        assertEquals(12, got[2][0]);
        assertEquals(MPI.UNDEFINED, Request.waitAny(requests));
        assertNull(Request.waitSome(requests));
        assertTrue(Request.testAll(requests));
        Request never = MPI.COMM_WORLD.iRecv(got[0], 1, MPI.INT, left, 99);
        assertNull(never.getStatus());
        MPIException open = assertThrows(MPIException.class, MPI::Finalize);
        assertEquals(MPI.ERR_PENDING, open.getErrorClass());
        never.cancel();
        assertTrue(never.waitStatus().isCancelled());
    }

    /** Nobody loses anything by that, and Open MPI says nothing. */
    public static void whatIsOverNeedsNoWaitBeforeFinalize() throws MPIException {
        Request[] mine = {
            MPI.COMM_WORLD.iSend(new int[] {rank}, 1, MPI.INT, right, 0),
            MPI.COMM_WORLD.iRecv(new int[1], 1, MPI.INT, left, 0),
            MPI.COMM_WORLD.iBarrier()
        };
        MPI.COMM_WORLD.iRecv(new int[1], 1, MPI.INT, left, 99).free();
        Prequest again = MPI.COMM_WORLD.recvInit(new int[1], 1, MPI.INT, left, 1);
        for (int i = 0; i < 100; i++) {
            again.start();
            MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, right, 1);
            again.waitFor();
        }
        again.start();
        MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, right, 1);
        assertFalse(mine[0].isNull());
    }

    public static void persistentRequests() throws MPIException {
        IntBuffer out = MPI.newIntBuffer(1);
        IntBuffer in = MPI.newIntBuffer(1);
        Prequest[] both = {
            MPI.COMM_WORLD.sendInit(out, 1, MPI.INT, right, 0), MPI.COMM_WORLD.recvInit(in, 1, MPI.INT, left, 0)
        };
        assertEquals(0, both[0].waitStatus().getCount(MPI.INT));
        for (int i = 0; i < 3; i++) {
            out.put(0, 10 * i + rank);
            Prequest.startAll(both);
            fails(MPI.ERR_REQUEST, () -> both[0].start());
            Request.waitAll(both);
            assertEquals(10 * i + left, in.get(0));
            assertFalse(both[0].isNull());
        }
        both[0].free();
        both[1].free();
        assertTrue(both[0].isNull());
    }

    public static void datatypes() throws MPIException {
        Datatype column = Datatype.createVector(3, 1, 4, MPI.DOUBLE);
        assertEquals(9, column.getExtent());
        assertEquals(3, column.getSize());
        fails(MPI.ERR_TYPE, () -> MPI.COMM_WORLD.send(new double[12], 1, column, MPI.PROC_NULL, 0));
        column.commit();
        double[] matrix = new double[12];
        Arrays.setAll(matrix, i -> i);
        double[] got = new double[3];
        MPI.COMM_WORLD.sendRecv(MPI.slice(matrix, 1), 1, column, right, 0, got, 3, MPI.DOUBLE, left, 0);
        assertArrayEquals(new double[] {1, 5, 9}, got);
        Datatype indexed = Datatype.createHIndexed(new int[] {1, 2}, new int[] {4, 12}, MPI.INT);
        assertEquals(1, indexed.getLb());
        assertEquals(4, indexed.getExtent());
        assertEquals(1, indexed.getTrueLb());
        assertEquals(4, indexed.getTrueExtent());
        Datatype resized = Datatype.createResized(indexed, 0, 32);
        assertEquals(8, resized.getExtent());
        assertEquals(1, resized.getTrueLb());
        assertEquals(4, resized.getTrueExtent());
        assertEquals(16, MPI.DOUBLE_INT.getExtent());
        assertEquals(12, MPI.DOUBLE_INT.getSize());
        assertEquals(8, MPI.SHORT_INT.getExtent());
        assertEquals(2, MPI.DOUBLE_COMPLEX.getExtent());
        Datatype endless = Datatype.createVector(5, 1, 1 << 30, MPI.DOUBLE);
        fails(MPI.ERR_TYPE, endless::getExtent);
        fails(MPI.ERR_TYPE, endless::getTrueExtent);
        fails(MPI.ERR_TYPE, MPI.INT::free);
        Datatype copy = column.dup();
        column.free();
        assertTrue(column.isNull());
        fails(MPI.ERR_TYPE, () -> MPI.COMM_WORLD.send(matrix, 1, column, MPI.PROC_NULL, 0));
        MPI.COMM_WORLD.send(matrix, 1, copy, MPI.PROC_NULL, 0);
        byte[] packed = new byte[100];
        int position = MPI.COMM_WORLD.pack(new int[] {1, 2}, 2, MPI.INT, packed, 0);
        position = MPI.COMM_WORLD.pack(matrix, 1, copy, packed, position);
        assertEquals(MPI.COMM_WORLD.packSize(2, MPI.INT) + MPI.COMM_WORLD.packSize(1, copy), position);
        double[] unpacked = new double[3];
        MPI.COMM_WORLD.unpack(packed, 8, unpacked, 3, MPI.DOUBLE);
        assertArrayEquals(new double[] {0, 4, 8}, unpacked);
    }

    /** A struct as programs write it. */
    public static final class Particle extends Struct {
        private final int kind = addByte();
        private final int mass = setOffset(8).addDouble();
        private final int charge = addInt(2);

        /** Of one particle. */
        public final class Data extends Struct.Data {
            void put(byte newKind, double newMass, int first, int second) {
                putByte(kind, newKind);
                putDouble(mass, newMass);
                putInt(charge, 0, first);
                putInt(charge, 1, second);
            }

            String tell() {
                return getByte(kind) + " " + getDouble(mass) + " " + getInt(charge, 0) + " " + getInt(charge, 1);
            }
        }

        @Override
        protected Data newData() {
            return new Data();
        }
    }

    public static void structs() throws MPIException {
        Particle particle = new Particle();
        assertEquals(24, particle.getExtent());
        assertEquals(17, particle.getType().getSize());
        ByteBuffer out = MPI.newByteBuffer(2 * particle.getExtent());
        Particle.Data first = particle.getData(out);
        Particle.Data second = particle.getData(out, 1);
        first.put((byte) 1, 1.5, rank, 3);
        second.put((byte) 2, 2.5, 4, 5);
        byte[] in = new byte[2 * particle.getExtent()];
        Request send = MPI.COMM_WORLD.iSend(out, 2, particle.getType(), right, 0);
        Status status = MPI.COMM_WORLD.recv(in, 2, particle.getType(), left, 0);
        send.waitFor();
        assertEquals(2, status.getCount(particle.getType()));
        assertEquals(8, status.getElements(particle.getType()));
        Particle.Data received = particle.getData(in);
        assertEquals("1 1.5 " + left + " 3", received.tell());
        received = particle.getData(in, 1);
        assertEquals("2 2.5 4 5", received.tell());
        status.setElements(particle.getType(), 6);
        assertEquals(6, status.getElements(particle.getType()));
        assertEquals(MPI.UNDEFINED, status.getCount(particle.getType()));
    }

    public static void whatStudentsWrite() throws MPIException {
        int[] ints = new int[2];
        fails(MPI.ERR_TYPE, () -> MPI.COMM_WORLD.send(ints, 1, MPI.DOUBLE, right, 0));
        fails(MPI.ERR_BUFFER, () -> MPI.COMM_WORLD.send(ints, 3, MPI.INT, right, 0));
        fails(MPI.ERR_COUNT, () -> MPI.COMM_WORLD.send(ints, -1, MPI.INT, right, 0));
        fails(MPI.ERR_RANK, () -> MPI.COMM_WORLD.send(ints, 1, MPI.INT, 4, 0));
        fails(MPI.ERR_RANK, () -> MPI.COMM_WORLD.send(ints, 1, MPI.INT, MPI.ANY_SOURCE, 0));
        fails(MPI.ERR_TAG, () -> MPI.COMM_WORLD.send(ints, 1, MPI.INT, right, MPI.ANY_TAG));
        fails(MPI.ERR_TYPE, () -> MPI.COMM_WORLD.send(ints, 1, null, right, 0));
        fails(MPI.ERR_TYPE, () -> MPI.COMM_WORLD.send(ints, 1, MPI.DATATYPE_NULL, right, 0));
        fails(MPI.ERR_BUFFER, () -> MPI.COMM_WORLD.send(null, 1, MPI.INT, right, 0));
        fails(MPI.ERR_ARG, () -> MPI.COMM_WORLD.send(new Integer[2], 1, MPI.INT, right, 0));
        fails(MPI.ERR_ARG, () -> MPI.COMM_WORLD.send(new double[2][2], 1, MPI.DOUBLE, right, 0));
        MPIException text = assertThrows(MPIException.class, () -> MPI.COMM_WORLD.send("text", 4, MPI.CHAR, right, 0));
        assertTrue(text.getMessage().contains("text.toCharArray()"), text.getMessage());
        fails(MPI.ERR_ROOT, () -> MPI.COMM_WORLD.bcast(ints, 1, MPI.INT, 4));
        fails(MPI.ERR_OTHER, () -> MPI.Init(new String[0]));
        fails(MPI.ERR_COMM, () -> MPI.COMM_WORLD.free());
        fails(MPI.ERR_KEYVAL, () -> MPI.COMM_WORLD.getAttr(12345));
        fails(MPI.ERR_TOPOLOGY, () -> MPI.COMM_WORLD.neighborAllGather(ints, 1, MPI.INT, ints, 1, MPI.INT));
        fails(MPI.ERR_UNSUPPORTED_OPERATION, () -> new Win(MPI.INFO_NULL, MPI.COMM_WORLD));
        fails(MPI.ERR_UNSUPPORTED_OPERATION, Intracomm::openPort);
        Request send = MPI.COMM_WORLD.iSend(new int[] {1, 2}, 2, MPI.INT, right, 0);
        fails(MPI.ERR_TRUNCATE, () -> MPI.COMM_WORLD.recv(ints, 1, MPI.INT, left, 0));
        send.waitFor();
    }

    public static void environment() throws MPIException {
        assertTrue(MPI.isInitialized());
        assertTrue(MPI.isThreadMain());
        assertEquals(MPI.THREAD_MULTIPLE, MPI.queryThread());
        assertFalse(MPI.getProcessorName().isEmpty());
        assertTrue(MPI.wtime() <= MPI.wtime());
        assertEquals(Integer.MAX_VALUE, MPI.COMM_WORLD.getAttr(MPI.TAG_UB));
        assertEquals(4, MPI.COMM_WORLD.getAttr(MPI.UNIVERSE_SIZE));
        Info info = new Info();
        info.set("key", "value");
        assertEquals("value", info.dup().get("key"));
        assertEquals("key", info.getKey(0));
        info.delete("key");
        assertEquals(0, info.size());
        fails(MPI.ERR_INFO_NOKEY, () -> info.delete("key"));
        info.free();
        assertTrue(info.isNull());
        DoubleComplex number = DoubleComplex.get(new double[] {1, 2, 3, 4}, 1);
        assertEquals(3, number.getReal());
        assertEquals(4, number.getBuffer().get(1));
        assertEquals(0, new Count(3).compareTo(new Count(3)));
    }
}
