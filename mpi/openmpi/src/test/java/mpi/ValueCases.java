package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.Device;

/** What one rank of four does by itself, and what it makes with the others. */
final class ValueCases {
    private static int rank;
    private static Intracomm world;

    private ValueCases() {}

    static void run(Device device, String method) throws Throwable {
        MPI.start(device, MPI.THREAD_SERIALIZED);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        try {
            ValueCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        world.barrier();
        MPI.Finalize();
    }

    private static void fails(int errorClass, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
        assertEquals(errorClass, thrown.getErrorCode());
    }

    private static int[] ints(int... values) {
        return values;
    }

    public static void buffers() {
        Buffer[] made = {
            MPI.newByteBuffer(4),
            MPI.newCharBuffer(4),
            MPI.newShortBuffer(4),
            MPI.newIntBuffer(4),
            MPI.newLongBuffer(4),
            MPI.newFloatBuffer(4),
            MPI.newDoubleBuffer(4)
        };
        for (Buffer each : made) {
            assertTrue(each.isDirect());
            assertEquals(4, each.capacity());
        }
        Buffer[] slices = {
            MPI.slice((ByteBuffer) made[0], 1),
            MPI.slice((java.nio.CharBuffer) made[1], 1),
            MPI.slice((java.nio.ShortBuffer) made[2], 1),
            MPI.slice((java.nio.IntBuffer) made[3], 1),
            MPI.slice((java.nio.LongBuffer) made[4], 1),
            MPI.slice((FloatBuffer) made[5], 1),
            MPI.slice((DoubleBuffer) made[6], 1),
            MPI.slice(new byte[4], 1),
            MPI.slice(new char[4], 1),
            MPI.slice(new short[4], 1),
            MPI.slice(new int[4], 1),
            MPI.slice(new long[4], 1),
            MPI.slice(new float[4], 1),
            MPI.slice(new double[4], 1)
        };
        for (Buffer each : slices) {
            assertEquals(3, each.capacity());
        }
        assertEquals(1, made[6].position());
        assertEquals(ByteOrder.nativeOrder(), ((ByteBuffer) slices[0]).order());
        double[] shared = {1, 2, 3};
        MPI.slice(shared, 2).put(0, 7);
        assertEquals(7, shared[2]);
    }

    public static void complexNumbers() {
        ByteBuffer bytes = MPI.newByteBuffer(32);
        DoubleComplex second = DoubleComplex.get(bytes, 1);
        second.putReal(3);
        second.putImag(4);
        assertEquals(4, second.getImag());
        assertEquals(3, DoubleComplex.get(bytes.asDoubleBuffer(), 1).getReal());
        assertEquals(0, DoubleComplex.get(bytes).getReal());
        assertEquals(1, DoubleComplex.get(new double[] {1, 2}).getReal());
        DoubleBuffer doubles = DoubleBuffer.wrap(new double[] {5, 6});
        assertSame(doubles, DoubleComplex.get(doubles).getBuffer());
        FloatComplex first = FloatComplex.get(bytes);
        first.putReal(1);
        first.putImag(2);
        assertEquals(2, FloatComplex.get(bytes, 0).getImag());
        assertEquals(1, FloatComplex.get(bytes.asFloatBuffer()).getReal());
        assertEquals(
                2,
                FloatComplex.get(FloatBuffer.wrap(new float[] {0, 1, 2, 3}), 1).getReal());
        assertEquals(0, FloatComplex.get(new float[] {0, 1}).getReal());
        assertEquals(3, FloatComplex.get(new float[] {0, 1, 2, 3}, 1).getImag());
        assertEquals(
                2, FloatComplex.get(new float[] {0, 1, 2, 3}, 1).getBuffer().capacity());
    }

    /** Of every kind of field. */
    private static final class Everything extends Struct {
        private final Everything.Inner inner = new Inner();
        private final int bytes = addByte(2);
        private final int letter = addChar();
        private final int letters = addChar(2);
        private final int small = addShort();
        private final int smalls = addShort(3);
        private final int number = addInt();
        private final int numbers = addInt(2);
        private final int wide = setOffset(32).addLong();
        private final int wides = addLong(2);
        private final int real = addFloat();
        private final int reals = addFloat(3);
        private final int doubles = addDouble(2);
        private final int nested;
        private final int nestedTwo;
        private final int typed;
        private final int typedTwo;

        /** A struct within. */
        private static final class Inner extends Struct {
            private final int value = addInt();

            /** Of one. */
            private final class Data extends Struct.Data {}

            @Override
            protected Data newData() {
                return new Data();
            }
        }

        private Everything() throws MPIException {
            nested = addStruct(inner);
            nestedTwo = addStruct(inner, 2);
            typed = addData(MPI.INT);
            typedTwo = addData(MPI.DOUBLE_COMPLEX, 1);
        }

        /** Of one. */
        private final class Data extends Struct.Data {
            void check() throws MPIException {
                putByte(bytes, 1, (byte) 7);
                putChar(letter, 'x');
                putChar(letters, 1, 'y');
                putShort(small, (short) 3);
                putShort(smalls, 2, (short) 4);
                putInt(number, 5);
                putInt(numbers, 1, 6);
                putLong(wide, 8);
                putLong(wides, 1, 9);
                putFloat(real, 10);
                putFloat(reals, 2, 11);
                putDouble(doubles, 1, 12);
                assertEquals(7, getByte(bytes, 1));
                assertEquals('x', getChar(letter));
                assertEquals('y', getChar(letters, 1));
                assertEquals(3, getShort(small));
                assertEquals(4, getShort(smalls, 2));
                assertEquals(5, getInt(number));
                assertEquals(6, getInt(numbers, 1));
                assertEquals(8, getLong(wide));
                assertEquals(9, getLong(wides, 1));
                assertEquals(10, getFloat(real));
                assertEquals(11, getFloat(reals, 2));
                assertEquals(12, getDouble(doubles, 1));
                Inner.Data within = getData(inner, nestedTwo, 1);
                within.getBuffer().putInt(0, 13);
                assertEquals(13, getBuffer(MPI.INT, nestedTwo + 4).getInt(0));
                Inner.Data first = getData(inner, nested);
                assertEquals(0, first.getBuffer().getInt(inner.value));
                getBuffer(MPI.INT, typed, 0).putInt(0, 14);
                assertEquals(14, getInt(typed));
                assertEquals(0, typedTwo - typed - 4);
            }
        }

        @Override
        protected Data newData() {
            return new Data();
        }
    }

    public static void structs() throws MPIException {
        Everything everything = new Everything();
        ByteBuffer buffer = MPI.newByteBuffer(2 * everything.getExtent());
        Everything.Data second = everything.getData(buffer, 1);
        second.check();
        assertThrows(IllegalStateException.class, everything::addByte);
        byte[] floats = new byte[8];
        FloatInt.Data pair = MPI.floatInt.getData(floats);
        pair.putValue(-rank);
        pair.putIndex(rank);
        world.allReduce(floats, 1, MPI.FLOAT_INT, MPI.MINLOC);
        assertEquals(-3, pair.getValue());
        assertEquals(3, pair.getIndex());
    }

    public static void datatypes() throws MPIException {
        Datatype strided = Datatype.createHVector(2, 1, 16, MPI.DOUBLE);
        assertEquals(3, strided.getExtent());
        Datatype indexed = Datatype.createIndexed(ints(1, 1), ints(2, 0), MPI.DOUBLE);
        indexed.commit();
        double[] got = new double[2];
        Request send = world.iSend(new double[] {1, 2, 3}, 1, indexed, rank, 0);
        Status status = world.recv(got, 2, MPI.DOUBLE, rank, 0);
        send.waitFor();
        assertArrayEquals(new double[] {3, 1}, got);
        assertEquals(2, status.getElementsX(MPI.DOUBLE).getCount());
        status.setElementsX(MPI.INT, new Count(5));
        assertEquals(5, status.getCount(MPI.INT));
        status.setCancelled(true);
        assertTrue(status.isCancelled());
        Datatype struct = Datatype.createStruct(ints(1, 1), ints(0, 8), new Datatype[] {MPI.DOUBLE, MPI.BYTE});
        assertEquals(16, struct.getExtent());
        assertEquals(9, struct.clone().getSize());
        int key = Datatype.createKeyval();
        struct.setAttr(key, "kept");
        assertEquals("kept", struct.dup().getAttr(key));
        struct.deleteAttr(key);
        Datatype.freeKeyval(key);
        fails(MPI.ERR_KEYVAL, () -> struct.getAttr(key));
        struct.setName("mine");
        assertEquals("mine", struct.getName());
        fails(MPI.ERR_ARG, () -> Datatype.createContiguous(-1, MPI.INT));
        Count count = new Count(1);
        count.setCount(1L << 40);
        assertEquals(new Count(1L << 40), count);
        assertNotEquals(new Count(1), count);
    }

    public static void groups() throws MPIException {
        Group all = world.getGroup();
        Group even = all.excl(ints(1, 3));
        Group odd = Group.difference(all, even);
        assertEquals(MPI.IDENT, Group.compare(odd, all.rangeIncl(new int[][] {{1, 3, 2}})));
        assertEquals(MPI.IDENT, Group.compare(even, all.rangeExcl(new int[][] {{1, 3, 2}})));
        assertEquals(4, Group.union(even, odd).getSize());
        assertEquals(MPI.IDENT, Group.compare(MPI.GROUP_EMPTY, Group.intersection(even, odd)));
        fails(MPI.ERR_RANK, () -> all.incl(ints(4)));
        if (rank % 2 == 0) {
            Intracomm made = world.createGroup(even, 3);
            assertEquals(rank / 2, made.getRank());
            made.disconnect();
        }
        even.free();
        assertTrue(even.isNull());
        fails(MPI.ERR_GROUP, even::getSize);
    }

    public static void copies() throws MPIException {
        Info info = new Info();
        info.set("a", "b");
        Intracomm copy = world.dupWithInfo(info.clone());
        assertEquals("b", copy.getInfo().get("a"));
        world.setInfo(info);
        assertEquals("b", world.getInfo().get("a"));
        assertEquals(4, world.clone().getSize());
        CartComm grid = world.createCart(ints(2, 2), new boolean[] {true, false}, true);
        assertEquals(MPI.CART, grid.clone().getTopology());
        assertEquals(MPI.CART, grid.dupWithInfo(info).getTopology());
        assertEquals(MPI.CART, grid.iDup().getTopology());
        assertEquals(2, grid.getTopo().getDim(0));
        assertTrue(grid.getTopo().getPeriod(0));
        assertFalse(grid.getTopo().getPeriod(1));
        int place = grid.map(ints(2), new boolean[1]);
        assertTrue(place == MPI.UNDEFINED || place < 2);
        GraphComm graph = world.createGraph(ints(1, 2, 2), ints(1, 0), false);
        assertEquals(rank == 3, graph.isNull());
        if (rank < 3) {
            assertEquals(MPI.GRAPH, graph.clone().getTopology());
            assertEquals(MPI.GRAPH, graph.dupWithInfo(info).getTopology());
            assertEquals(MPI.GRAPH, graph.iDup().getTopology());
            assertEquals(3, graph.getDims().getIndexCount());
            assertEquals(2, graph.getDims().getIndex(1));
            assertEquals(0, graph.getDims().getEdge(1));
            assertEquals(rank == 2 ? MPI.UNDEFINED : rank, graph.map(ints(1, 2), ints(1, 0)));
        }
        Intercomm inter = world.createIntercomm(world.split(rank / 2, 0), 0, rank < 2 ? 2 : 0, 0);
        assertEquals(2, inter.clone().getRemoteSize());
        assertEquals(2, inter.dupWithInfo(info).getRemoteGroup().getSize());
        assertEquals(2, inter.iDup().dup().getSize());
    }

    public static void distributedGraphs() throws MPIException {
        int right = (rank + 1) % 4;
        int left = (rank + 3) % 4;
        GraphComm plain = world.createDistGraphAdjacent(ints(left), ints(right), MPI.INFO_NULL, false);
        assertFalse(plain.getDistGraphNeighbors().isWeighted());
        GraphComm given = world.createDistGraph(ints(rank), ints(1), ints(right), MPI.INFO_NULL, false);
        assertEquals(left, given.getDistGraphNeighbors().getSource(0));
        assertEquals(1, given.getDistGraphNeighbors().getInDegree());
        assertEquals(1, given.getDistGraphNeighbors().getOutDegree());
        GraphComm weighted = world.createDistGraph(ints(rank), ints(1), ints(right), ints(5), MPI.INFO_NULL, false);
        assertEquals(5, weighted.getDistGraphNeighbors().getSourceWeight(0));
        fails(MPI.ERR_TOPOLOGY, weighted::getDims);
    }

    public static void whatIsNotThere() throws MPIException {
        int missing = MPI.ERR_UNSUPPORTED_OPERATION;
        Info none = MPI.INFO_NULL;
        fails(missing, () -> Intracomm.openPort(none));
        fails(missing, () -> Intracomm.closePort("p"));
        fails(missing, () -> world.accept("p", 0));
        fails(missing, () -> world.accept("p", none, 0));
        fails(missing, () -> world.connect("p", 0));
        fails(missing, () -> world.connect("p", none, 0));
        fails(missing, () -> Intracomm.publishName("s", "p"));
        fails(missing, () -> Intracomm.publishName("s", none, "p"));
        fails(missing, () -> Intracomm.unpublishName("s", "p"));
        fails(missing, () -> Intracomm.unpublishName("s", none, "p"));
        fails(missing, () -> Intracomm.lookupName("s"));
        fails(missing, () -> Intracomm.lookupName("s", none));
        fails(missing, () -> world.spawn("c", null, 1, none, 0, null));
        fails(missing, () -> world.spawnMultiple(new String[0], null, null, null, 0, null));
        fails(missing, Win::createKeyval);
        world.callErrhandler(MPI.ERR_OTHER);
        fails(MPI.ERR_OTHER, () -> MPI.InitThread(new String[0], MPI.THREAD_SINGLE));
        assertEquals(1e-9, MPI.wtick());
        assertEquals(MPI.VERSION, MPI.getVersion().getVersion());
        assertEquals(MPI.SUBVERSION, MPI.getVersion().getSubVersion());
        assertTrue(MPI.getLibVersion().startsWith("Sluice"));
        MPI.pControl(1, null);
        assertEquals("text", new MPIException("text").getMessage());
        IllegalStateException cause = new IllegalStateException("cause");
        assertSame(cause, new MPIException(cause).getCause());
    }
}
