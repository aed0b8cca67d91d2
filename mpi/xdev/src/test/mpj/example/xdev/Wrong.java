package example.xdev;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjbuf.BufferFactory;
import mpjbuf.Type;
import mpjdev.MPJDev;
import xdev.Device;
import xdev.ProcessID;
import xdev.XDevException;

/** What programs do wrong under MPJ Express, and what its device allocates. */
public final class Wrong {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 3_000;
    private static final int BYTES = 100;

    private Wrong() {}

    public static void main(String[] args) throws Exception {
        if (args[3].equals("rank")) {
            args[0] = "7";
        }
        if (args[3].equals("without")) {
            System.out.println("without MPI.Init");
            return;
        }
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        switch (args[3]) {
            case "calls" -> calls(MPJDev.WORLD.group.ids[0]);
            case "dies" -> {
                if (rank == 1) {
                    throw new IllegalStateException("rank 1 has had enough");
                }
                MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 1);
            }
            default -> allocation(rank);
        }
        MPI.Finalize();
    }

    private static void calls(ProcessID self) throws Exception {
        Buffer buffer = written();
        refused(() -> MPJDev.dev.send(buffer, self, Device.ANY_TAG, 3));
        refused(() -> MPJDev.dev.send(buffer, self, 1, -1));
        refused(() -> MPJDev.dev.send(buffer, new ProcessID(UUID.randomUUID()), 1, 3));
        refused(() -> MPJDev.dev.init(new String[] {"0", "sluice", "mxdev"}));
        // Objects, for a receive of numbers that has no room for them.
        MPI.COMM_WORLD.Isend(new Object[] {new int[1000]}, 0, 1, MPI.OBJECT, 0, 6);
        refused(() -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 6));
    }

    private static void refused(Runnable call) {
        try {
            call.run();
            System.out.println("nothing was thrown");
        } catch (XDevException e) {
            System.out.println(e.getMessage());
        }
    }

    private static Buffer written() throws Exception {
        Buffer buffer = new Buffer(BufferFactory.create(BYTES), 0, BYTES);
        buffer.putSectionHeader(Type.INT);
        buffer.write(new int[] {1}, 0, 1);
        buffer.commit();
        return buffer;
    }

    /** Prints bytes for each message. */
    private static void allocation(int rank) throws Exception {
        Device device = MPJDev.dev;
        ProcessID peer = MPJDev.WORLD.group.ids[1 - rank];
        Buffer out = written();
        int overhead = device.getRecvOverhead();
        Buffer in = new Buffer(BufferFactory.create(overhead + BYTES), overhead, overhead + BYTES);
        long sends = 0;
        long receives = 0;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            long begin = allocated();
            device.send(out, peer, 5, 77);
            long between = allocated();
            device.recv(in, peer, 5, 77);
            long end = allocated();
            if (round >= ROUNDS) {
                sends += between - begin;
                receives += end - between;
            }
        }
        System.out.println(sends / ROUNDS + " " + receives / ROUNDS);
    }

    private static long allocated() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
