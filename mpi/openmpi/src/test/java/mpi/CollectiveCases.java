package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import org.sluice.device.Device;

/** What one rank of four does together with the others. */
final class CollectiveCases {
    private static int rank;
    private static Intracomm world;

    private CollectiveCases() {}

    static void run(Device device, String method) throws Throwable {
        MPI.start(device, MPI.THREAD_SINGLE);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        try {
            CollectiveCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        world.barrier();
        MPI.Finalize();
    }

    private static int[] ints(int... values) {
        return values;
    }

    public static void blocksOfOneSize() throws MPIException {
        int[] got = new int[5];
        got[0] = rank == 2 ? 7 : 0;
        world.bcast(got, 1, MPI.INT, 2);
        assertEquals(7, got[0]);
        world.gather(ints(rank), 1, MPI.INT, got, 1, MPI.INT, 1);
        assertArrayEquals(rank == 1 ? ints(0, 1, 2, 3, 0) : ints(7, 0, 0, 0, 0), got);
        int[] inPlace = rank == 1 ? ints(-1, 1, -1, -1) : ints(10 + rank);
        world.gather(inPlace, 1, MPI.INT, 1);
        assertArrayEquals(rank == 1 ? ints(10, 1, 12, 13) : ints(10 + rank), inPlace);
        int[] mine = new int[2];
        world.scatter(ints(0, 1, 2, 3, 4, 5, 6, 7), 2, MPI.INT, mine, 2, MPI.INT, 0);
        assertArrayEquals(ints(2 * rank, 2 * rank + 1), mine);
        int[] scattered = rank == 3 ? ints(1, 2, 3, 4) : ints(0);
        world.scatter(scattered, 1, MPI.INT, 3);
        assertEquals(rank == 3 ? 1 : rank + 1, scattered[0]);
        int[] all = new int[4];
        world.allGather(ints(rank), 1, MPI.INT, all, 1, MPI.INT);
        assertArrayEquals(ints(0, 1, 2, 3), all);
        int[] again = new int[4];
        again[rank] = rank;
        world.allGather(again, 1, MPI.INT);
        assertArrayEquals(all, again);
        world.allToAll(ints(rank, 10 + rank, 20 + rank, 30 + rank), 1, MPI.INT, all, 1, MPI.INT);
        assertArrayEquals(ints(10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3), all);
    }

    public static void blocksOfAnySize() throws MPIException {
        int[] counts = {1, 0, 2, 1};
        int[] displs = {4, 0, 0, 3};
        int[] got = new int[5];
        int[] own = ints(rank, 10 + rank);
        world.gatherv(own, counts[rank], MPI.INT, got, counts, displs, MPI.INT, 0);
        assertArrayEquals(rank == 0 ? ints(2, 12, 0, 3, 0) : new int[5], got);
        if (rank == 0) {
            got[4] = 77;
            world.gatherv(got, counts, displs, MPI.INT, 0);
            assertArrayEquals(ints(2, 12, 0, 3, 77), got);
        } else {
            world.gatherv(own, counts[rank], MPI.INT, 0);
        }
        int[] mine = new int[2];
        world.scatterv(ints(5, 6, 7, 8, 9), counts, displs, MPI.INT, mine, counts[rank], MPI.INT, 1);
        assertArrayEquals(new int[][] {{9, 0}, {0, 0}, {5, 6}, {8, 0}}[rank], mine);
        if (rank == 1) {
            world.scatterv(ints(5, 6, 7, 8, 9), counts, displs, MPI.INT, 1);
        } else {
            world.scatterv(mine, counts[rank], MPI.INT, 1);
        }
        int[] all = new int[5];
        world.allGatherv(own, counts[rank], MPI.INT, all, counts, displs, MPI.INT);
        assertArrayEquals(ints(2, 12, 0, 3, 0), all);
        int[] again = new int[5];
        System.arraycopy(all, displs[rank], again, displs[rank], counts[rank]);
        world.allGatherv(again, counts, displs, MPI.INT);
        assertArrayEquals(all, again);
        int[] ones = {1, 1, 1, 1};
        int[] places = {0, 1, 2, 3};
        int[] turned = {3, 2, 1, 0};
        int[] from = ints(rank, 10 + rank, 20 + rank, 30 + rank);
        int[] to = new int[4];
        world.allToAllv(from, ones, places, MPI.INT, to, ones, turned, MPI.INT);
        assertArrayEquals(ints(10 * rank + 3, 10 * rank + 2, 10 * rank + 1, 10 * rank), to);
        Datatype[] types = {MPI.INT, MPI.INT, MPI.INT, MPI.INT};
        world.allToAllw(from, ones, ints(0, 4, 8, 12), types, to, ones, ints(12, 8, 4, 0), types);
        assertArrayEquals(ints(10 * rank + 3, 10 * rank + 2, 10 * rank + 1, 10 * rank), to);
    }

    public static void thoseThatDoNotBlock() throws MPIException {
        IntBuffer in = MPI.newIntBuffer(4);
        IntBuffer out = MPI.newIntBuffer(1);
        out.put(0, rank);
        Request gather = world.iAllGather(out, 1, MPI.INT, in, 1, MPI.INT);
        int[] sum = new int[1];
        Request reduce = world.iAllReduce(ints(rank), sum, 1, MPI.INT, MPI.SUM);
        int[] told = {rank == 3 ? 33 : 0};
        Request bcast = world.iBcast(told, 1, MPI.INT, 3);
        Request.waitAll(new Request[] {gather, reduce, bcast, world.iBarrier()});
        assertEquals(3, in.get(3));
        assertEquals(6, sum[0]);
        assertEquals(33, told[0]);
        ByteBuffer big = ByteBuffer.allocateDirect(8);
        big.putInt(0, rank).putInt(4, 100 * rank);
        Request inPlace = world.iAllReduce(big, 2, MPI.INT, MPI.SUM);
        while (!inPlace.test()) {
            Thread.onSpinWait();
        }
        assertEquals(6, big.getInt(0));
        assertEquals(600, big.getInt(4));
        int[] scan = new int[1];
        world.iScan(ints(rank + 1), scan, 1, MPI.INT, MPI.PROD).waitFor();
        assertEquals(new int[] {1, 2, 6, 24}[rank], scan[0]);
    }

    public static void reductions() throws MPIException {
        double[] got = new double[2];
        world.reduce(new double[] {rank, 1}, got, 2, MPI.DOUBLE, MPI.SUM, 2);
        assertArrayEquals(rank == 2 ? new double[] {6, 4} : new double[2], got);
        double[] own = {rank, -rank};
        world.reduce(own, 2, MPI.DOUBLE, MPI.MAX, 0);
        assertArrayEquals(rank == 0 ? new double[] {3, 0} : new double[] {rank, -rank}, own);
        DoubleBuffer buffer = MPI.newDoubleBuffer(1);
        buffer.put(rank);
        world.allReduce(buffer, 1, MPI.DOUBLE, MPI.MIN);
        assertEquals(0, buffer.get(0));
        boolean[] flags = {rank == 1, true};
        world.allReduce(flags, 2, MPI.BOOLEAN, MPI.LAND);
        assertArrayEquals(new boolean[] {false, true}, flags);
        int[] block = new int[2];
        world.reduceScatter(ints(1, 2, 3, 4, 5), block, ints(1, 2, 1, 1), MPI.INT, MPI.SUM);
        assertEquals(new int[] {4, 8, 16, 20}[rank], block[0]);
        int[] inPlace = ints(1, 2, 3, 4);
        world.reduceScatterBlock(inPlace, 1, MPI.INT, MPI.SUM);
        assertEquals(4 * (rank + 1), inPlace[0]);
        int[] before = {-1};
        world.exScan(ints(rank + 1), before, 1, MPI.INT, MPI.SUM);
        assertEquals(new int[] {-1, 1, 3, 6}[rank], before[0]);
        int[] local = {3};
        Comm.reduceLocal(ints(4), local, 1, MPI.INT, MPI.PROD);
        assertEquals(12, local[0]);
        MPIException wrong = assertThrows(MPIException.class, () -> world.allReduce(local, 1, MPI.INT, MPI.REPLACE));
        assertEquals(MPI.ERR_OP, wrong.getErrorClass());
    }

    /** Bytes of a buffer are numbers of the type, with what is carried over. */
    public static void reductionsOfBytes() throws MPIException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            for (ByteBuffer empty : new ByteBuffer[] {ByteBuffer.allocate(16), ByteBuffer.allocateDirect(16)}) {
                ByteBuffer in = empty.order(order);
                ByteBuffer out = ByteBuffer.allocateDirect(16).order(order);
                in.putInt(0, 200 + rank).putInt(4, -300);
                world.allReduce(in, out, 2, MPI.INT, MPI.SUM);
                assertEquals(806, out.getInt(0));
                assertEquals(-1200, out.getInt(4));
                world.allReduce(in, 2, MPI.INT, MPI.MIN);
                assertEquals(200, in.getInt(0));
                in.putDouble(0, 1.5).putDouble(8, rank);
                world.allReduce(in, 2, MPI.DOUBLE, MPI.SUM);
                assertEquals(6, in.getDouble(0));
                assertEquals(6, in.getDouble(8));
                in.putLong(0, 1000);
                world.scan(in, out, 1, MPI.LONG, MPI.SUM);
                assertEquals(1000 * (rank + 1), out.getLong(0));
                in.putShort(0, (short) 200);
                world.reduce(in, out, 1, MPI.SHORT, MPI.SUM, 1);
                assertEquals(rank == 1 ? 800 : out.getShort(0), out.getShort(0));
            }
        }
        ByteBuffer bytes = MPI.newByteBuffer(4).putInt(0, 200);
        int[] sum = {0};
        world.allReduce(bytes, sum, 1, MPI.INT, MPI.SUM);
        assertEquals(800, sum[0], "of bytes, into an array");
        world.allReduce(rank % 2 == 0 ? bytes : (Object) ints(200), rank % 2 == 0 ? sum : bytes, 1, MPI.INT, MPI.SUM);
        assertEquals(800, rank % 2 == 0 ? sum[0] : bytes.getInt(0), "each rank as it likes");
        int[] counts = new int[1];
        Op count = new Op(
                new UserFunction() {
                    @Override
                    public void call(ByteBuffer in, ByteBuffer inOut, int items, Datatype type) {
                        counts[0] = items;
                        for (int i = 0; i < items; i++) {
                            inOut.putInt(4 * i, inOut.getInt(4 * i) + in.getInt(4 * i));
                        }
                    }
                },
                true);
        ByteBuffer two = MPI.newByteBuffer(8).putInt(0, 200).putInt(4, 1);
        Comm.reduceLocal(MPI.newByteBuffer(8).putInt(0, 100).putInt(4, 2), two, 2, MPI.INT, count);
        assertEquals(2, counts[0]);
        assertEquals(300, two.getInt(0));
        assertEquals(3, two.getInt(4));
        count.free();
    }

    public static void pairs() throws MPIException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            ByteBuffer in = ByteBuffer.allocateDirect(32).order(order);
            ByteBuffer out = ByteBuffer.allocateDirect(32).order(order);
            DoubleInt.Data first = MPI.doubleInt.getData(in);
            DoubleInt.Data second = MPI.doubleInt.getData(in, 1);
            first.putValue(rank % 2);
            first.putIndex(10 + rank);
            second.putValue(-rank);
            second.putIndex(20 + rank);
            world.allReduce(in, out, 2, MPI.DOUBLE_INT, MPI.MAXLOC);
            first = MPI.doubleInt.getData(out);
            second = MPI.doubleInt.getData(out, 1);
            assertEquals(1, first.getValue());
            assertEquals(11, first.getIndex());
            assertEquals(0, second.getValue());
            assertEquals(20, second.getIndex());
        }
        byte[] shorts = new byte[8];
        ShortInt.Data pair = MPI.shortInt.getData(shorts);
        pair.putValue((short) (5 - rank));
        pair.putIndex(rank);
        world.allReduce(shorts, 1, MPI.SHORT_INT, MPI.MINLOC);
        assertEquals(2, pair.getValue());
        assertEquals(3, pair.getIndex());
        byte[] ints = new byte[8];
        Int2.Data two = MPI.int2.getData(ints);
        two.putValue(rank == 1 || rank == 2 ? 9 : 0);
        two.putIndex(rank);
        world.allReduce(ints, 1, MPI.int2.getType(), MPI.MAXLOC);
        assertEquals(9, two.getValue());
        assertEquals(1, two.getIndex());
        byte[] longs = new byte[16];
        LongInt.Data wide = MPI.longInt.getData(longs);
        wide.putValue(1L << (40 + rank));
        wide.putIndex(rank);
        world.allReduce(longs, 1, MPI.LONG_INT, MPI.MAXLOC);
        assertEquals(1L << 43, wide.getValue());
        double[] complex = {0, 1};
        world.allReduce(complex, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
        assertArrayEquals(new double[] {1, 0}, complex, 0);
    }

    /** Matrices of 2 by 2, whose product depends on the order. */
    private static final class Product extends UserFunction {
        @Override
        public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
            int[] left = (int[]) inVec;
            int[] right = (int[]) inOutVec;
            for (int i = 0; i < 4 * count; i += 4) {
                int[] all = {
                    left[i] * right[i] + left[i + 1] * right[i + 2],
                    left[i] * right[i + 1] + left[i + 1] * right[i + 3],
                    left[i + 2] * right[i] + left[i + 3] * right[i + 2],
                    left[i + 2] * right[i + 1] + left[i + 3] * right[i + 3]
                };
                System.arraycopy(all, 0, right, i, 4);
            }
        }
    }

    /** Adds masses, with the holes that the struct has. */
    private static final class Masses extends UserFunction {
        private final MessageCases.Particle particle = new MessageCases.Particle();

        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
            int extent = particle.getExtent();
            for (int i = 0; i < count; i++) {
                inOut.putDouble(i * extent + 8, in.getDouble(i * extent + 8) + inOut.getDouble(i * extent + 8));
            }
        }
    }

    public static void operationsOfPrograms() throws MPIException {
        Op product = new Op(new Product(), false);
        assertFalse(product.isCommutative());
        Datatype matrix = Datatype.createContiguous(4, MPI.INT);
        matrix.commit();
        int[] own = ints(1, rank, 0, 1);
        if (rank == 3) {
            own = ints(2, 0, 0, 1);
        }
        int[] got = new int[4];
        world.allReduce(own, got, 1, matrix, product);
        assertArrayEquals(ints(2, 3, 0, 1), got);
        ByteBuffer big = ByteBuffer.allocate(16);
        big.asIntBuffer().put(own);
        world.allReduce(big, 1, matrix, product);
        assertEquals(2, big.getInt(0));
        assertEquals(3, big.getInt(4));
        Masses masses = new Masses();
        ByteBuffer particles = MPI.newByteBuffer(2 * masses.particle.getExtent());
        particles.putDouble(8, rank).putDouble(32, 10 * rank).putInt(40, 5);
        world.allReduce(particles, 2, masses.particle.getType(), new Op(masses, true));
        assertEquals(6, particles.getDouble(8));
        assertEquals(60, particles.getDouble(32));
        assertEquals(5, particles.getInt(40));
        Op or = new Op(
                new UserFunction() {
                    @Override
                    public void call(Object in, Object inOut, int count, Datatype type) {
                        for (int i = 0; i < count; i++) {
                            ((boolean[]) inOut)[i] |= ((boolean[]) in)[i];
                        }
                    }
                },
                true);
        boolean[] flags = {rank == 2, false};
        world.allReduce(flags, 2, MPI.BOOLEAN, or);
        assertArrayEquals(new boolean[] {true, false}, flags);
        or.free();
        assertTrue(or.isNull());
    }

    public static void communicators() throws MPIException {
        Intracomm copy = world.dup();
        assertEquals(MPI.CONGRUENT, Comm.compare(world, copy));
        assertEquals(MPI.IDENT, Comm.compare(world, world));
        int key = Comm.createKeyval();
        assertNull(copy.getAttr(key));
        copy.setAttr(key, "value " + rank);
        if (rank == 3) {
            copy.recv(new int[1], 1, MPI.INT, 0, 5);
        }
        Intracomm third = copy.iDup();
        if (rank == 0) {
            copy.send(new int[1], 1, MPI.INT, 3, 5);
        }
        third.getRequest().waitFor();
        assertEquals("value " + rank, third.getAttr(key));
        third.deleteAttr(key);
        assertNull(third.getAttr(key));
        Comm.freeKeyval(key);
        third.free();
        assertTrue(third.isNull());
        assertThrows(MPIException.class, third::barrier);
        Intracomm half = copy.split(rank == 3 ? MPI.UNDEFINED : 0, -rank);
        assertEquals(rank == 3, half.isNull());
        if (rank < 3) {
            assertEquals(2 - rank, half.getRank());
            assertEquals(3, half.getSize());
        }
        Group group = world.getGroup();
        Group even = group.incl(ints(2, 0));
        assertArrayEquals(
                ints(MPI.UNDEFINED, 1, MPI.PROC_NULL), Group.translateRanks(group, ints(1, 0, MPI.PROC_NULL), even));
        assertEquals(MPI.SIMILAR, Group.compare(even, group.incl(ints(0, 2))));
        assertEquals(rank % 2 == 0 ? 1 - rank / 2 : MPI.UNDEFINED, even.getRank());
        Intracomm two = world.create(even);
        assertEquals(rank % 2 == 1, two.isNull());
        assertEquals(4, world.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL).getSize());
        copy.setErrhandler(MPI.ERRORS_ARE_FATAL);
        assertEquals(MPI.ERRORS_ARE_FATAL, copy.dup().getErrhandler());
        copy.setName("mine");
        assertEquals("mine", copy.getName());
        assertEquals("MPI_COMM_WORLD", world.getName());
    }

    public static void intercommunicators() throws MPIException {
        Intracomm half = world.split(rank / 2, rank);
        Intercomm inter = world.createIntercomm(half, 0, rank < 2 ? 2 : 0, 5);
        assertTrue(inter.isInter());
        assertEquals(2, inter.getRemoteSize());
        int[] got = {-1};
        int other = rank % 2;
        inter.sendRecv(ints(rank), 1, MPI.INT, other, 0, got, 1, MPI.INT, other, 0);
        assertEquals((rank + 2) % 4, got[0]);
        inter.allReduce(ints(rank), got, 1, MPI.INT, MPI.SUM);
        assertEquals(rank < 2 ? 5 : 1, got[0]);
        int[] told = {rank == 1 ? 44 : 0};
        inter.bcast(told, 1, MPI.INT, rank == 1 ? MPI.ROOT : rank == 0 ? MPI.PROC_NULL : 1);
        assertEquals(rank == 0 ? 0 : 44, told[0]);
        inter.reduce(ints(rank), got, 1, MPI.INT, MPI.SUM, rank == 1 ? MPI.ROOT : rank == 0 ? MPI.PROC_NULL : 1);
        assertEquals(rank == 1 ? 5 : rank == 0 ? 5 : 1, got[0]);
        int[] gathered = new int[2];
        MPIException inPlace = assertThrows(MPIException.class, () -> inter.allGather(gathered, 1, MPI.INT));
        assertEquals(MPI.ERR_COMM, inPlace.getErrorClass());
        inter.allGather(ints(rank), 1, MPI.INT, gathered, 1, MPI.INT);
        assertArrayEquals(rank < 2 ? ints(2, 3) : ints(0, 1), gathered);
        assertEquals(4, inter.merge(rank < 2).getSize());
        assertTrue(Intercomm.getParent().isNull());
    }

    public static void topologies() throws MPIException {
        int[] dims = new int[2];
        CartComm.createDims(4, dims);
        assertArrayEquals(ints(2, 2), dims);
        CartComm ring = world.createCart(ints(4), new boolean[] {true}, false);
        assertEquals(MPI.CART, ring.getTopology());
        ShiftParms shift = ring.shift(0, 1);
        assertEquals((rank + 1) % 4, shift.getRankDest());
        assertEquals((rank + 3) % 4, shift.getRankSource());
        CartComm line = world.createCart(ints(4), new boolean[] {false}, false);
        assertEquals(rank == 0 ? MPI.PROC_NULL : rank - 1, line.shift(0, 1).getRankSource());
        int[] got = new int[2];
        ring.neighborAllGather(ints(rank), 1, MPI.INT, got, 1, MPI.INT);
        assertArrayEquals(ints((rank + 3) % 4, (rank + 1) % 4), got);
        ring.iNeighborAllToAll(ints(10 * rank, 10 * rank + 1), 1, MPI.INT, got, 1, MPI.INT)
                .waitFor();
        assertArrayEquals(ints((rank + 3) % 4 * 10 + 1, (rank + 1) % 4 * 10), got);
        CartComm grid = world.createCart(ints(2, 2), new boolean[2], false);
        assertEquals(3, grid.getRank(ints(1, 1)));
        assertArrayEquals(ints(1, 0), grid.getCoords(2));
        assertEquals(2, grid.sub(new boolean[] {true, false}).getSize());
        assertEquals(2, grid.getTopo().getDimCount());
        assertEquals(rank % 2, grid.getTopo().getCoord(1));
        assertEquals(4, grid.dup().getSize());
        GraphComm graph = world.createGraph(ints(1, 2, 3, 4), ints(1, 0, 3, 2), false);
        assertEquals(MPI.GRAPH, graph.getTopology());
        assertArrayEquals(ints(rank ^ 1), graph.getNeighbors(rank));
        assertEquals(4, graph.getDims().getEdgeCount());
        GraphComm distributed = world.createDistGraphAdjacent(
                ints((rank + 3) % 4), ints(2), ints((rank + 1) % 4), ints(2), MPI.INFO_NULL, false);
        assertEquals(MPI.DIST_GRAPH, distributed.getTopology());
        DistGraphNeighbors neighbours = distributed.getDistGraphNeighbors();
        assertTrue(neighbours.isWeighted());
        assertEquals((rank + 1) % 4, neighbours.getDestination(0));
        assertEquals(2, neighbours.getDestinationWeight(0));
        assertEquals(MPI.UNDEFINED, world.getTopology());
    }
}
