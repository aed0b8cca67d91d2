package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.sluice.device.Device;

/** What one rank of four does with what few programs use, and with arrays where Open MPI takes direct buffers. */
final class RestCases {
    private static int rank;
    private static Intracomm world;

    private RestCases() {}

    static void run(Device device, String method) throws Throwable {
        MPI.start(device, MPI.THREAD_SINGLE);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        try {
            RestCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        world.barrier();
        MPI.Finalize();
    }

    private static int[] ints(int... values) {
        return values;
    }

    private static IntBuffer direct(int... values) {
        return MPI.newIntBuffer(values.length).put(values);
    }

    public static void arraysOfNeighbours() throws MPIException {
        CartComm ring = world.createCart(ints(4), new boolean[] {true}, false);
        int left = (rank + 3) % 4;
        int right = (rank + 1) % 4;
        int[] ones = {1, 1};
        int[] places = {1, 0};
        int[] own = {rank, 10 + rank};
        int[] got = new int[2];
        ring.iNeighborAllGather(own, 1, MPI.INT, got, 1, MPI.INT).waitFor();
        assertArrayEquals(ints(left, right), got);
        ring.iNeighborAllGatherv(own, 1, MPI.INT, got, ones, places, MPI.INT).waitFor();
        assertArrayEquals(ints(right, left), got);
        ring.iNeighborAllToAllv(own, ones, places, MPI.INT, got, ones, places, MPI.INT)
                .waitFor();
        assertArrayEquals(ints(10 + right, left), got);
        IntBuffer both = MPI.newIntBuffer(2);
        ring.iNeighborAllToAll(direct(own), 1, MPI.INT, both, 1, MPI.INT).waitFor();
        assertEquals(10 + left, both.get(0));
        assertEquals(right, both.get(1));
    }

    public static void arraysOfReductions() throws MPIException {
        int[] ones = {1, 1, 1, 1};
        int[] all = {1, 2, 3, 4};
        int[] got = new int[1];
        world.iReduceScatterBlock(all, got, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(4 * (rank + 1), got[0]);
        int[] own = all.clone();
        world.iReduceScatterBlock(own, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(4 * (rank + 1), own[0]);
        own = all.clone();
        world.iReduceScatter(own, ones, MPI.INT, MPI.SUM).waitFor();
        assertEquals(4 * (rank + 1), own[0]);
        got[0] = -1;
        world.iExScan(ints(rank + 1), got, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(ints(-1, 1, 3, 6)[rank], got[0]);
        got[0] = rank + 1;
        world.iExScan(got, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(ints(1, 1, 3, 6)[rank], got[0]);
        int[] bytes = {12, 8, 4, 0};
        Datatype[] types = {MPI.INT, MPI.INT, MPI.INT, MPI.INT};
        int[] out = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
        int[] in = new int[4];
        world.iAllToAllw(out, ones, bytes, types, in, ones, bytes, types).waitFor();
        assertArrayEquals(ints(33 - rank, 23 - rank, 13 - rank, 3 - rank), in);
        float[] complex = {rank, 1};
        world.allReduce(complex, 1, MPI.FLOAT_COMPLEX, MPI.SUM);
        assertArrayEquals(new float[] {6, 4}, complex);
        MPIException wrong = assertThrows(MPIException.class, () -> world.allReduce(in, 1, MPI.INT, MPI.NO_OP));
        assertEquals(MPI.ERR_OP, wrong.getErrorClass());
    }

    public static void directBuffers() throws MPIException {
        int right = (rank + 1) % 4;
        int left = (rank + 3) % 4;
        IntBuffer own = direct(rank);
        IntBuffer got = MPI.newIntBuffer(1);
        Request synchronous = world.isSend(own, 1, MPI.INT, right, 1);
        Message message = new Message();
        message.mProbe(left, 1, world);
        int[] array = new int[1];
        message.imRecv(array, 1, MPI.INT).waitFor();
        assertEquals(left, array[0]);
        synchronous.waitFor();
        Request receive = world.iRecv(got, 1, MPI.INT, left, 2);
        world.barrier();
        world.irSend(own, 1, MPI.INT, right, 2).waitFor();
        receive.waitFor();
        assertEquals(left, got.get(0));
        world.iAllReduce(own, got, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(6, got.get(0));
        world.iScan(own, got, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(ints(0, 1, 3, 6)[rank], got.get(0));
        world.iBcast(own, 1, MPI.INT, 3).waitFor();
        assertEquals(3, own.get(0));
    }

    public static void copiesOfAnyKind() throws MPIException {
        Comm any = world;
        assertEquals(MPI.CONGRUENT, Comm.compare(any, any.clone()));
        Info info = new Info();
        info.set("k", "v");
        assertEquals("v", any.dupWithInfo(info).getInfo().get("k"));
        Comm later = any.iDup();
        later.getRequest().waitFor();
        assertEquals(4, later.getSize());
        GraphComm graph = world.createGraph(ints(1, 2, 3, 4), ints(1, 0, 3, 2), false);
        assertArrayEquals(ints(rank ^ 1), graph.dup().getNeighbors(rank));
        assertFalse(MPI.INFO_ENV.get("wdir").isEmpty());
        later.setErrhandler(MPI.ERRORS_ABORT);
        assertEquals(MPI.ERRORS_ABORT, later.getErrhandler());
    }

    public static void values() throws MPIException {
        assertEquals(MPI.class, new MPI().getClass());
        assertTrue(new Count(3).equals(new Count(3)));
        assertFalse(new Count(3).equals(new Count(4)));
        Struct.Data[] made = {
            MPI.int2.new Data(),
            MPI.shortInt.new Data(),
            MPI.longInt.new Data(),
            MPI.floatInt.new Data(),
            MPI.doubleInt.new Data()
        };
        Struct[] structs = {MPI.int2, MPI.shortInt, MPI.longInt, MPI.floatInt, MPI.doubleInt};
        for (int i = 0; i < made.length; i++) {
            Struct.Data of = structs[i].getData(new byte[16]);
            assertEquals(made[i].getClass(), of.getClass());
        }
        LongInt.Data pair = MPI.longInt.getData(new byte[16]);
        pair.putIndex(7);
        assertEquals(7, pair.getIndex());
        byte[] packed = new byte[4];
        world.sendRecv(new byte[] {1, 2, 3, 4}, 4, MPI.PACKED, rank, 0, packed, 4, MPI.PACKED, rank, 0);
        assertEquals(4, packed[3]);
    }

    /** As with Open MPI, which copies arrays. */
    public static void oneArrayForBoth() throws MPIException {
        int size = world.getSize();
        int[] all = new int[size];
        for (int i = 0; i < size; i++) {
            all[i] = 10 * rank + i;
        }
        int[] each = all.clone();
        world.allReduce(each, each, size, MPI.INT, MPI.SUM);
        assertEquals(5 * size * (size - 1) + size, each[1]);
        each = all.clone();
        world.reduce(each, each, size, MPI.INT, MPI.MAX, 1);
        assertEquals(rank == 1 ? 10 * (size - 1) + 2 : 10 * rank + 2, each[2]);
        each = all.clone();
        world.scan(each, each, 1, MPI.INT, MPI.SUM);
        assertEquals(5 * rank * (rank + 1), each[0]);
        each = all.clone();
        world.allGather(each, 1, MPI.INT, each, 1, MPI.INT);
        assertEquals(10 * (size - 1), each[size - 1]);
        each = all.clone();
        world.allToAll(each, 1, MPI.INT, each, 1, MPI.INT);
        assertEquals(10 * (size - 1) + rank, each[size - 1]);
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        int[] places = new int[size];
        Arrays.setAll(places, i -> i);
        each = all.clone();
        world.allToAllv(each, ones, places, MPI.INT, each, ones, places, MPI.INT);
        assertEquals(10 * (size - 1) + rank, each[size - 1]);
        Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        Arrays.setAll(places, i -> Integer.BYTES * i);
        each = all.clone();
        world.allToAllw(each, ones, places, types, each, ones, places, types);
        assertEquals(10 * (size - 1) + rank, each[size - 1]);
        each = all.clone();
        world.gather(each, 1, MPI.INT, each, 1, MPI.INT, 1);
        assertEquals(rank == 1 ? 20 : 10 * rank + 2, each[2]);
        each = all.clone();
        world.scatter(each, 1, MPI.INT, each, 1, MPI.INT, 1);
        assertEquals(10 + rank, each[0]);
    }

    /** A function has one of the two, and the other calls it. */
    public static void functions() throws MPIException {
        UserFunction sum = new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                ((int[]) inOut)[0] += ((int[]) in)[0];
            }
        };
        ByteBuffer in = MPI.newByteBuffer(4).putInt(0, 3);
        ByteBuffer inOut = MPI.newByteBuffer(4).putInt(0, 4);
        sum.call(in, inOut, 1, MPI.INT);
        assertEquals(7, inOut.getInt(0));
        UserFunction none = new UserFunction() {};
        assertThrows(UnsupportedOperationException.class, () -> none.call(new int[1], new int[1], 1, MPI.INT));
        MPIException thrown = assertThrows(
                MPIException.class, () -> Comm.reduceLocal(new int[1], new int[1], 1, MPI.INT, new Op(none, true)));
        assertEquals(MPI.ERR_OP, thrown.getErrorClass(), thrown.getMessage());
    }

    public static void arraysOfFiles() throws Exception {
        Path folder = rank == 0 ? Files.createTempDirectory("sluice-rest") : null;
        byte[] name = new byte[200];
        if (folder != null) {
            byte[] bytes = folder.resolve("data").toString().getBytes();
            System.arraycopy(bytes, 0, name, 0, bytes.length);
        }
        world.bcast(name, name.length, MPI.BYTE, 0);
        File file =
                new File(world, new String(name).trim(), MPI.MODE_RDWR | MPI.MODE_CREATE | MPI.MODE_DELETE_ON_CLOSE);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int[] own = {rank};
        int[] got = {-1};
        file.iWriteAt(rank, own, 1, MPI.INT).waitFor();
        file.iWriteAtAll(4 + rank, own, 1, MPI.INT).waitFor();
        world.barrier();
        file.iReadAt((rank + 1) % 4, got, 1, MPI.INT).waitFor();
        assertEquals((rank + 1) % 4, got[0]);
        file.iReadAtAll(4 + (rank + 2) % 4, got, 1, MPI.INT).waitFor();
        assertEquals((rank + 2) % 4, got[0]);
        file.seek(10 + 2 * rank, MPI.SEEK_SET);
        file.iWrite(own, 1, MPI.INT).waitFor();
        file.iWriteAll(own, 1, MPI.INT).waitFor();
        file.seek(10 + 2 * rank, MPI.SEEK_SET);
        file.iRead(got, 1, MPI.INT).waitFor();
        assertEquals(rank, got[0]);
        got[0] = -1;
        file.iReadAll(got, 1, MPI.INT).waitFor();
        assertEquals(rank, got[0]);
        file.seekShared(20, MPI.SEEK_SET);
        file.iWriteShared(ints(5), 1, MPI.INT).waitFor();
        world.barrier();
        file.seekShared(20, MPI.SEEK_SET);
        file.iReadShared(got, 1, MPI.INT).waitFor();
        assertEquals(5, got[0]);
        file.close();
        if (folder != null) {
            Files.delete(folder);
        }
    }
}
