package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.InvocationTargetException;
import java.nio.IntBuffer;
import org.sluice.device.Device;

/** What one rank of four starts and then waits for, with direct buffers: it ends as what blocks. */
final class StartedCases {
    private static int rank;
    private static Intracomm world;

    private StartedCases() {}

    static void run(Device device, String method) throws Throwable {
        MPI.start(device, MPI.THREAD_SINGLE);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        try {
            StartedCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        world.barrier();
        MPI.Finalize();
    }

    private static IntBuffer direct(int... values) {
        IntBuffer buffer = MPI.newIntBuffer(values.length);
        buffer.put(values);
        return buffer;
    }

    private static void assertHas(IntBuffer buffer, int... values) {
        int[] got = new int[buffer.capacity()];
        buffer.get(0, got);
        assertArrayEquals(values, got);
    }

    public static void messages() throws MPIException {
        int right = (rank + 1) % 4;
        int left = (rank + 3) % 4;
        MPI.attachBuffer(new byte[2000]);
        IntBuffer out = direct(rank);
        Prequest[] sends = {
            world.bSendInit(out, 1, MPI.INT, right, 0),
            world.sSendInit(out, 1, MPI.INT, right, 1),
            world.rSendInit(out, 1, MPI.INT, right, 2)
        };
        Prequest.startAll(sends);
        Request buffered = world.ibSend(out, 1, MPI.INT, right, 3);
        Message message = new Message();
        IntBuffer in = MPI.newIntBuffer(1);
        for (int i = 0; i < 4; i++) {
            message.mProbe(left, i, world);
            Request received = message.imRecv(in, 1, MPI.INT);
            Status status = received.testStatus();
            while (status == null) {
                status = received.testStatus();
            }
            assertEquals(i, status.getTag());
            assertEquals(MPI.SUCCESS, status.getError());
            assertHas(in, left);
        }
        assertEquals(3, Request.waitSomeStatus(sends).length + remaining(sends));
        buffered.waitFor();
        world.barrier();
        if (rank % 2 == 0) {
            world.sSend(out, 1, MPI.INT, right, 4);
            world.rSend(out, 1, MPI.INT, right, 5);
        } else {
            world.recv(in, 1, MPI.INT, left, 4);
            world.recv(in, 1, MPI.INT, left, 5);
        }
        Request never = world.iRecv(in, 1, MPI.INT, left, 77);
        Request[] one = {never};
        assertNull(Request.testAnyStatus(one));
        assertEquals(0, Request.testSomeStatus(one).length);
        never.cancel();
        never.waitFor();
        assertNotNull(Request.testAnyStatus(one));
        assertNull(Request.testSomeStatus(one));
        MPI.detachBuffer();
    }

    /** Waits for those that are left. */
    private static int remaining(Prequest[] sends) throws MPIException {
        int count = 0;
        for (Status[] some = Request.waitSomeStatus(sends); some != null; some = Request.waitSomeStatus(sends)) {
            count += some.length;
        }
        return count;
    }

    public static void blocksOfOneSize() throws MPIException {
        IntBuffer one = direct(rank);
        IntBuffer four = MPI.newIntBuffer(4);
        world.iGather(one, 1, MPI.INT, four, 1, MPI.INT, 1).waitFor();
        assertHas(four, rank == 1 ? new int[] {0, 1, 2, 3} : new int[4]);
        IntBuffer own = rank == 1 ? direct(9, 1, 9, 9) : direct(rank);
        world.iGather(own, 1, MPI.INT, 1).waitFor();
        assertHas(own, rank == 1 ? new int[] {0, 1, 2, 3} : new int[] {rank});
        world.iScatter(direct(5, 6, 7, 8), 1, MPI.INT, one, 1, MPI.INT, 2).waitFor();
        assertHas(one, 5 + rank);
        IntBuffer from = rank == 2 ? direct(1, 2, 3, 4) : direct(0);
        world.iScatter(from, 1, MPI.INT, 2).waitFor();
        assertEquals(rank == 2 ? 1 : rank + 1, from.get(0));
        four = direct(0, 0, 0, 0).put(rank, rank);
        world.iAllGather(four, 1, MPI.INT).waitFor();
        assertHas(four, 0, 1, 2, 3);
        IntBuffer out = direct(10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3);
        world.iAllToAll(out, 1, MPI.INT, four, 1, MPI.INT).waitFor();
        assertHas(four, rank, 10 + rank, 20 + rank, 30 + rank);
    }

    public static void blocksOfAnySize() throws MPIException {
        int[] counts = {1, 0, 2, 1};
        int[] displs = {3, 0, 0, 2};
        IntBuffer own = direct(rank, 10 + rank);
        IntBuffer all = MPI.newIntBuffer(4);
        world.iGatherv(own, counts[rank], MPI.INT, all, counts, displs, MPI.INT, 3)
                .waitFor();
        assertHas(all, rank == 3 ? new int[] {2, 12, 3, 0} : new int[4]);
        Request inPlace = rank == 3
                ? world.iGatherv(all, counts, displs, MPI.INT, 3)
                : world.iGatherv(own, counts[rank], MPI.INT, 3);
        inPlace.waitFor();
        assertHas(all, rank == 3 ? new int[] {2, 12, 3, 0} : new int[4]);
        IntBuffer got = MPI.newIntBuffer(2);
        IntBuffer from = direct(5, 6, 7, 8);
        world.iScatterv(from, counts, displs, MPI.INT, got, counts[rank], MPI.INT, 0)
                .waitFor();
        assertHas(got, new int[][] {{8, 0}, {0, 0}, {5, 6}, {7, 0}}[rank]);
        inPlace = rank == 0
                ? world.iScatterv(from, counts, displs, MPI.INT, 0)
                : world.iScatterv(got, counts[rank], MPI.INT, 0);
        inPlace.waitFor();
        assertHas(got, new int[][] {{8, 0}, {0, 0}, {5, 6}, {7, 0}}[rank]);
        world.iAllGatherv(own, counts[rank], MPI.INT, all, counts, displs, MPI.INT)
                .waitFor();
        assertHas(all, 2, 12, 3, 0);
        world.iAllGatherv(all, counts, displs, MPI.INT).waitFor();
        assertHas(all, 2, 12, 3, 0);
        int[] ones = {1, 1, 1, 1};
        int[] places = {0, 1, 2, 3};
        IntBuffer out = direct(10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3);
        world.iAllToAllv(out, ones, places, MPI.INT, all, ones, places, MPI.INT).waitFor();
        assertHas(all, rank, 10 + rank, 20 + rank, 30 + rank);
        int[] bytes = {12, 8, 4, 0};
        Datatype[] types = {MPI.INT, MPI.INT, MPI.INT, MPI.INT};
        world.iAllToAllw(out, ones, bytes, types, all, ones, bytes, types).waitFor();
        assertHas(all, 33 - rank, 23 - rank, 13 - rank, 3 - rank);
    }

    public static void neighbours() throws MPIException {
        CartComm ring = world.createCart(new int[] {4}, new boolean[] {true}, false);
        int left = (rank + 3) % 4;
        int right = (rank + 1) % 4;
        int[] ones = {1, 1};
        int[] places = {1, 0};
        IntBuffer both = MPI.newIntBuffer(2);
        IntBuffer own = direct(rank, 10 + rank);
        ring.iNeighborAllGather(own, 1, MPI.INT, both, 1, MPI.INT).waitFor();
        assertHas(both, left, right);
        ring.neighborAllGatherv(own, 1, MPI.INT, both, ones, places, MPI.INT);
        assertHas(both, right, left);
        ring.iNeighborAllGatherv(own, 1, MPI.INT, both, ones, places, MPI.INT).waitFor();
        assertHas(both, right, left);
        ring.neighborAllToAll(own, 1, MPI.INT, both, 1, MPI.INT);
        assertHas(both, 10 + left, right);
        ring.neighborAllToAllv(own, ones, places, MPI.INT, both, ones, places, MPI.INT);
        assertHas(both, 10 + right, left);
        ring.iNeighborAllToAllv(own, ones, places, MPI.INT, both, ones, places, MPI.INT)
                .waitFor();
        assertHas(both, 10 + right, left);
    }

    public static void reductions() throws MPIException {
        IntBuffer one = direct(rank + 1);
        IntBuffer got = MPI.newIntBuffer(1);
        world.iReduce(one, got, 1, MPI.INT, MPI.SUM, 3).waitFor();
        assertHas(got, rank == 3 ? 10 : 0);
        IntBuffer own = direct(rank + 1);
        world.iReduce(own, 1, MPI.INT, MPI.MAX, 0).waitFor();
        assertHas(own, rank == 0 ? 4 : rank + 1);
        int[] counts = {1, 1, 1, 1};
        IntBuffer four = direct(1, 2, 3, 4);
        world.iReduceScatter(four, got, counts, MPI.INT, MPI.SUM).waitFor();
        assertHas(got, 4 * (rank + 1));
        world.iReduceScatterBlock(four, got, 1, MPI.INT, MPI.PROD).waitFor();
        assertHas(got, new int[] {1, 16, 81, 256}[rank]);
        int[] block = new int[1];
        world.reduceScatterBlock(new int[] {1, 2, 3, 4}, block, 1, MPI.INT, MPI.SUM);
        assertEquals(4 * (rank + 1), block[0]);
        int[] all = {1, 2, 3, 4};
        world.reduceScatter(all, counts, MPI.INT, MPI.SUM);
        assertEquals(4 * (rank + 1), all[0]);
        four = direct(1, 2, 3, 4);
        world.iReduceScatter(four, counts, MPI.INT, MPI.SUM).waitFor();
        assertEquals(4 * (rank + 1), four.get(0));
        four = direct(1, 2, 3, 4);
        world.iReduceScatterBlock(four, 1, MPI.INT, MPI.SUM).waitFor();
        assertEquals(4 * (rank + 1), four.get(0));
    }

    public static void scans() throws MPIException {
        int[] upTo = {1, 3, 6, 10};
        int[] before = {rank == 0 ? 1 : 0, 1, 3, 6};
        int[] got = new int[1];
        world.scan(new int[] {rank + 1}, got, 1, MPI.INT, MPI.SUM);
        assertEquals(upTo[rank], got[0]);
        got[0] = rank + 1;
        world.scan(got, 1, MPI.INT, MPI.SUM);
        assertEquals(upTo[rank], got[0]);
        IntBuffer own = direct(rank + 1);
        world.iScan(own, 1, MPI.INT, MPI.SUM).waitFor();
        assertHas(own, upTo[rank]);
        got[0] = rank + 1;
        world.exScan(got, 1, MPI.INT, MPI.SUM);
        assertEquals(before[rank], got[0]);
        own = direct(rank + 1);
        world.iExScan(own, 1, MPI.INT, MPI.SUM).waitFor();
        assertHas(own, before[rank]);
        IntBuffer into = direct(1);
        world.iExScan(direct(rank + 1), into, 1, MPI.INT, MPI.SUM).waitFor();
        assertHas(into, before[rank]);
    }
}
