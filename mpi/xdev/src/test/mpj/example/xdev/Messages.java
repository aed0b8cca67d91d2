package example.xdev;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import mpjbuf.Buffer;
import mpjbuf.BufferFactory;

/** Messages of every type and mode between the ranks of a program for MPJ Express. */
final class Messages {
    private static final int SMALL = 3;
    private static final int ABOVE_SWITCH_LIMIT = 40_000;
    private static final int ABOVE_REGION = 1_200_000;

    private final Comm world = MPI.COMM_WORLD;
    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();
    private final int next = (rank + 1) % size;
    private final int before = (rank + size - 1) % size;

    void run() throws Exception {
        types();
        modes();
        objects();
        objectsInOrder();
        probes();
        wildcards();
        waits();
        packed();
        for (int length : new int[] {0, SMALL, ABOVE_SWITCH_LIMIT, ABOVE_REGION}) {
            around(length);
        }
        itself();
        tooSmall();
        threads();
    }

    private void types() {
        around(new byte[] {1, -2}, new byte[2], MPI.BYTE);
        around(new char[] {'a', '\uffff'}, new char[2], MPI.CHAR);
        around(new short[] {1, -2}, new short[2], MPI.SHORT);
        around(new boolean[] {true, false}, new boolean[2], MPI.BOOLEAN);
        around(new int[] {1, Integer.MIN_VALUE}, new int[2], MPI.INT);
        around(new long[] {1, Long.MIN_VALUE}, new long[2], MPI.LONG);
        around(new float[] {1, -0.5f}, new float[2], MPI.FLOAT);
        around(new double[] {1, Math.PI}, new double[2], MPI.DOUBLE);
        around(new Object[] {"a", List.of(1, 2)}, new Object[2], MPI.OBJECT);
    }

    private void around(Object out, Object in, Datatype type) {
        Status status = world.Sendrecv(out, 0, 2, type, next, 1, in, 0, 2, type, before, 1);
        check(Arrays.deepEquals(new Object[] {out}, new Object[] {in}), "other values of " + out.getClass());
        check(status.source == before && status.tag == 1 && status.Get_count(type) == 2, "status of " + out.getClass());
    }

    private void around(int length) {
        double[] out = new double[length];
        Arrays.fill(out, rank + 1);
        double[] in = new double[length];
        Request sending = world.Isend(out, 0, length, MPI.DOUBLE, next, 2);
        Status status = world.Recv(in, 0, length, MPI.DOUBLE, before, 2);
        sending.Wait();
        check(status.Get_count(MPI.DOUBLE) == length, "count of " + length);
        for (double value : in) {
            check(value == before + 1, "a value of " + length + " is " + value);
        }
    }

    private void modes() {
        int[] in = new int[1];
        for (int mode = 0; mode < 6; mode++) {
            Request receiving = world.Irecv(in, 0, 1, MPI.INT, before, 20 + mode);
            // Ready sends have their receive posted.
            MPI.COMM_WORLD.Barrier();
            send(mode, new int[] {100 * rank + mode});
            Status status = receiving.Wait();
            check(in[0] == 100 * before + mode && status.source == before, "mode " + mode);
        }
    }

    private void send(int mode, int[] out) {
        switch (mode) {
            case 0 -> world.Send(out, 0, 1, MPI.INT, next, 20);
            case 1 -> world.Ssend(out, 0, 1, MPI.INT, next, 21);
            case 2 -> world.Rsend(out, 0, 1, MPI.INT, next, 22);
            case 3 -> world.Issend(out, 0, 1, MPI.INT, next, 23).Wait();
            case 4 -> world.Irsend(out, 0, 1, MPI.INT, next, 24).Wait();
            default -> {
                MPI.Buffer_attach(ByteBuffer.allocateDirect(1000));
                world.Bsend(out, 0, 1, MPI.INT, next, 25);
                MPI.Buffer_detach();
            }
        }
    }

    /** What a receive of objects waits for comes while its rank waits for something else. */
    private void objects() {
        Object[] out = {new int[100_000], "and " + rank};
        Object[] in = new Object[2];
        Request receiving = world.Irecv(in, 0, 2, MPI.OBJECT, before, 30);
        if (rank % 2 == 0) {
            world.Send(out, 0, 2, MPI.OBJECT, next, 30);
            world.Send(new int[1], 0, 1, MPI.INT, next, 31);
            world.Recv(new int[1], 0, 1, MPI.INT, before, 31);
        } else {
            world.Recv(new int[1], 0, 1, MPI.INT, before, 31);
            world.Send(out, 0, 2, MPI.OBJECT, next, 30);
            world.Send(new int[1], 0, 1, MPI.INT, next, 31);
        }
        Status status = receiving.Wait();
        check(status.Get_count(MPI.OBJECT) == 2 && in[1].equals("and " + before), "objects " + in[1]);
        check(((int[]) in[0]).length == 100_000, "an array within objects");
    }

    /** Receives of either kind with the same tag get what comes in the order in which they were begun. */
    private void objectsInOrder() {
        Object[] first = new Object[1];
        int[] second = new int[1];
        Object[] third = new Object[1];
        Request[] all = {
            world.Irecv(first, 0, 1, MPI.OBJECT, before, 32),
            world.Irecv(second, 0, 1, MPI.INT, before, 32),
            world.Irecv(third, 0, 1, MPI.OBJECT, before, 32)
        };
        world.Send(new Object[] {"first"}, 0, 1, MPI.OBJECT, next, 32);
        world.Send(new int[] {2}, 0, 1, MPI.INT, next, 32);
        world.Send(new Object[] {"third"}, 0, 1, MPI.OBJECT, next, 32);
        Request.Waitall(all);
        check("first".equals(first[0]) && second[0] == 2 && "third".equals(third[0]), "order of objects");
    }

    private void probes() {
        check(world.Iprobe(before, 40) == null, "a probe finds what nobody sent");
        Request sending = world.Isend(new long[SMALL], 0, SMALL, MPI.LONG, next, 41);
        Status status = world.Probe(before, MPI.ANY_TAG);
        check(status.source == before && status.tag == 41 && status.Get_count(MPI.LONG) == SMALL, "a probe's status");
        world.Recv(new long[SMALL], 0, SMALL, MPI.LONG, before, 41);
        sending.Wait();
    }

    private void wildcards() {
        if (rank > 0) {
            world.Send(new int[] {rank}, 0, 1, MPI.INT, 0, 50 + rank);
            return;
        }
        int sum = 0;
        for (int i = 1; i < size; i++) {
            int[] in = new int[1];
            Status status = world.Recv(in, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            check(status.source == in[0] && status.tag == 50 + in[0], "a wildcard's status");
            sum += in[0];
        }
        check(sum == size * (size - 1) / 2, "wildcards got " + sum);
    }

    private void waits() {
        int[] in = new int[4];
        Request[] all = new Request[4];
        for (int i = 0; i < 4; i++) {
            all[i] = world.Irecv(in, i, 1, MPI.INT, before, 60 + i);
        }
        check(all[0].Test() == null, "a receive is over before its message is sent");
        MPI.COMM_WORLD.Barrier();
        world.Send(new int[] {7}, 0, 1, MPI.INT, next, 62);
        Status any = Request.Waitany(all);
        check(any.index == 2 && in[2] == 7 && any.source == before, "Waitany gave " + any.index);
        MPI.COMM_WORLD.Barrier();
        mpjdev.Request[] below = {all[0].req, all[1].req};
        world.Send(new int[] {8}, 0, 1, MPI.INT, next, 61);
        mpjdev.Status peeked = mpjdev.Request.iwaitany(below);
        check(peeked.index == 1 && in[1] == 8, "iwaitany gave " + peeked.index);
        MPI.COMM_WORLD.Barrier();
        world.Send(new int[] {9}, 0, 1, MPI.INT, next, 60);
        world.Send(new int[] {10}, 0, 1, MPI.INT, next, 63);
        all[0].Wait();
        all[3].Wait();
        check(in[0] == 9 && in[3] == 10, "waits");
        // Each handler has run once: a second wait changes nothing.
        in[0] = 0;
        all[0].req.iwait();
        check(in[0] == 0, "a receive was unpacked twice");
    }

    private void packed() throws Exception {
        Buffer out = new Buffer(BufferFactory.create(500), 0, 500);
        int position = world.Pack(new int[] {rank, 5}, 0, 2, MPI.INT, out, 0);
        world.Pack(new Object[] {"packed by " + rank}, 0, 1, MPI.OBJECT, out, position);
        Buffer in = new Buffer(BufferFactory.create(500), 0, 500);
        Request sending = world.Isend(out, 0, 0, MPI.PACKED, next, 70);
        world.Recv(in, 0, 0, MPI.PACKED, before, 70);
        sending.Wait();
        int[] numbers = new int[2];
        Object[] words = new Object[1];
        position = world.Unpack(in, 0, numbers, 0, 2, MPI.INT);
        world.Unpack(in, position, words, 0, 1, MPI.OBJECT);
        check(numbers[0] == before && words[0].equals("packed by " + before), "unpacked " + words[0]);
    }

    private void itself() {
        int[] in = new int[ABOVE_SWITCH_LIMIT];
        Request receiving = world.Irecv(in, 0, in.length, MPI.INT, rank, 80);
        int[] out = new int[ABOVE_SWITCH_LIMIT];
        Arrays.fill(out, 4);
        world.Send(out, 0, out.length, MPI.INT, rank, 80);
        check(receiving.Wait().Get_count(MPI.INT) == out.length && in[out.length - 1] == 4, "a message to itself");
    }

    /** Messages that are too long end their receive, and the next one is right. */
    private void tooSmall() {
        for (int length : new int[] {10, ABOVE_SWITCH_LIMIT}) {
            Request sending = world.Isend(new int[length], 0, length, MPI.INT, next, 90);
            try {
                world.Recv(new int[5], 0, 5, MPI.INT, before, 90);
                throw new AssertionError("a message of " + length + " was received into 5");
            } catch (MPIException e) {
                check(e.toString().contains("less than") || e.toString().contains("larger"), e.toString());
            }
            sending.Wait();
        }
        around(SMALL);
    }

    private void threads() throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int tag = 100 + i;
            Thread thread = new Thread(() -> {
                try {
                    for (int round = 0; round < 200; round++) {
                        int[] in = new int[1];
                        Request sending = world.Isend(new int[] {round}, 0, 1, MPI.INT, next, tag);
                        world.Recv(in, 0, 1, MPI.INT, before, tag);
                        sending.Wait();
                        check(in[0] == round, "round " + round + " got " + in[0]);
                    }
                } catch (Throwable e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check(failures.isEmpty(), "threads failed: " + failures);
    }

    static void check(boolean isRight, String what) {
        if (!isRight) {
            throw new AssertionError(what);
        }
    }
}
