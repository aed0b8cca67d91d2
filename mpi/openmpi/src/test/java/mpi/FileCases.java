package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.Device;

/** What one rank of four does with a file that all have open. */
final class FileCases {
    private static int rank;
    private static Intracomm world;
    private static String name;

    private FileCases() {}

    static void run(Device device, String method) throws Throwable {
        MPI.start(device, MPI.THREAD_SINGLE);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        byte[] folder = new byte[200];
        if (rank == 0) {
            byte[] made = Files.createTempDirectory("sluice-files").toString().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(made, 0, folder, 0, made.length);
        }
        world.bcast(folder, folder.length, MPI.BYTE, 0);
        Path path = Path.of(new String(folder, StandardCharsets.UTF_8).trim());
        name = path.resolve("data").toString();
        try {
            FileCases.class.getDeclaredMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        world.barrier();
        if (rank == 0) {
            Files.deleteIfExists(Path.of(name));
            Files.delete(path);
        }
        MPI.Finalize();
    }

    private static void fails(int errorClass, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
    }

    private static File opened(int more) throws MPIException {
        return new File(world, name, MPI.MODE_RDWR | MPI.MODE_CREATE | more);
    }

    public static void atOffsets() throws MPIException {
        File file = opened(MPI.MODE_DELETE_ON_CLOSE);
        file.setView(4, MPI.INT, MPI.INT, "native");
        assertEquals(
                2,
                file.writeAtAll(2 * rank, new int[] {rank, 10 + rank}, 2, MPI.INT)
                        .getCount(MPI.INT));
        world.barrier();
        assertEquals(36, file.getSize());
        int[] got = new int[9];
        Arrays.fill(got, -1);
        Status status = file.readAt(1, got, 9, MPI.INT);
        assertEquals(7, status.getCount(MPI.INT));
        assertArrayEquals(new int[] {10, 1, 11, 2, 12, 3, 13, -1, -1}, got);
        assertEquals(12, file.getByteOffset(2));
        IntBuffer buffer = MPI.newIntBuffer(1);
        Request[] requests = {MPI.REQUEST_NULL, file.iReadAt(7, buffer, 1, MPI.INT)};
        assertFalse(requests[1].isNull());
        assertEquals(1, Request.waitAny(requests));
        assertTrue(requests[1].isNull());
        assertEquals(13, buffer.get(0));
        file.readAtAllBegin(rank, got, 1, MPI.INT);
        fails(MPI.ERR_IO, () -> file.readAllBegin(got, 1, MPI.INT));
        file.readAtAllEnd(got);
        assertEquals(new int[] {0, 10, 1, 11}[rank], got[0]);
        file.close();
        assertFalse(Files.exists(Path.of(name)));
        fails(MPI.ERR_FILE, () -> file.getSize());
    }

    /** Each rank sees every fourth pair of ints. */
    public static void viewsOfTheirOwn() throws MPIException {
        Datatype pair = Datatype.createContiguous(2, MPI.INT);
        Datatype fourth = Datatype.createResized(pair, 0, 32);
        fourth.commit();
        File file = opened(0);
        file.setAtomicity(true);
        assertTrue(file.getAtomicity());
        file.setView(8L * rank, MPI.INT, fourth, "native");
        file.write(new int[] {rank, 10 + rank, 20 + rank}, 3, MPI.INT);
        assertEquals(3, file.getPosition());
        file.writeAll(new int[] {30 + rank}, 1, MPI.INT);
        world.barrier();
        file.seek(0, MPI.SEEK_SET);
        int[] got = new int[4];
        file.readAll(got, 4, MPI.INT);
        assertArrayEquals(new int[] {rank, 10 + rank, 20 + rank, 30 + rank}, got);
        file.seek(-1, MPI.SEEK_END);
        assertEquals(3, file.getPosition());
        assertEquals(36 + 8 * rank, file.getByteOffset(3));
        assertEquals(fourth, file.getView().getFileType());
        file.setView(0, MPI.INT, MPI.INT, "native");
        int[] all = new int[16];
        file.readAt(0, all, 16, MPI.INT);
        assertArrayEquals(new int[] {0, 10, 1, 11, 2, 12, 3, 13, 20, 30, 21, 31, 22, 32, 23, 33}, all);
        Datatype wrong = rank == 1 ? Datatype.createResized(MPI.INT, 0, -4) : MPI.INT;
        wrong.commit();
        fails(MPI.ERR_TYPE, () -> file.setView(0, MPI.INT, wrong, "native"));
        fails(MPI.ERR_UNSUPPORTED_DATAREP, () -> file.setView(0, MPI.INT, MPI.INT, "external32"));
        file.close();
    }

    public static void theSharedPointer() throws MPIException, IOException {
        File file = opened(0);
        file.setView(0, MPI.INT, MPI.INT, "native");
        for (int i = 0; i < 10; i++) {
            file.writeShared(new int[] {100 * rank + i}, 1, MPI.INT);
        }
        world.barrier();
        assertEquals(40, file.getPositionShared());
        int[] all = new int[40];
        file.readAt(0, all, 40, MPI.INT);
        Arrays.sort(all);
        for (int i = 0; i < 40; i++) {
            assertEquals(100 * (i / 10) + i % 10, all[i]);
        }
        file.seekShared(0, MPI.SEEK_SET);
        int[] own = new int[rank];
        Arrays.fill(own, rank);
        file.writeOrdered(own, rank, MPI.INT);
        int[] got = new int[6];
        file.readAt(0, got, 6, MPI.INT);
        world.barrier();
        file.readAt(0, got, 6, MPI.INT);
        assertArrayEquals(new int[] {1, 2, 2, 3, 3, 3}, got);
        file.seekShared(-6, MPI.SEEK_CUR);
        file.readOrderedBegin(got, 1, MPI.INT);
        assertEquals(1, file.readOrderedEnd(got).getCount(MPI.INT));
        assertEquals(new int[] {1, 2, 2, 3}[rank], got[0]);
        file.setView(0, MPI.INT, MPI.INT, "native");
        assertEquals(0, file.getPositionShared());
        file.close();
        try (var left = Files.list(Path.of(name).getParent())) {
            assertEquals(1, left.count());
        }
    }

    public static void oneAfterTheOther() throws MPIException {
        int mode = MPI.MODE_WRONLY | MPI.MODE_CREATE | MPI.MODE_SEQUENTIAL;
        File file = new File(world, name, mode);
        fails(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.write(new byte[1], 1, MPI.BYTE));
        fails(MPI.ERR_UNSUPPORTED_OPERATION, () -> file.seek(0, MPI.SEEK_SET));
        file.writeOrdered(new byte[] {(byte) rank}, 1, MPI.BYTE);
        file.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native");
        assertEquals(4, file.getView().getDisp());
        // None waits for a rank that is wrong.
        int count = rank == 1 ? -1 : 1;
        fails(rank == 1 ? MPI.ERR_COUNT : MPI.ERR_ARG, () -> file.writeOrdered(new int[1], count, MPI.INT));
        file.writeOrdered(new int[] {10 + rank}, 1, MPI.INT);
        file.close();
        File read = new File(world, name, MPI.MODE_RDONLY);
        byte[] bytes = new byte[4];
        read.readAt(0, bytes, 4, MPI.BYTE);
        assertArrayEquals(new byte[] {0, 1, 2, 3}, bytes);
        fails(MPI.ERR_DISP, () -> read.setView(MPI.DISPLACEMENT_CURRENT, MPI.INT, MPI.INT, "native"));
        read.setView(4, MPI.INT, MPI.INT, "native");
        int[] ints = new int[4];
        read.readAll(ints, 4, MPI.INT);
        assertArrayEquals(new int[] {10, 11, 12, 13}, ints);
        read.close();
    }

    public static void openings() throws MPIException {
        fails(MPI.ERR_NO_SUCH_FILE, () -> new File(world, name, MPI.MODE_RDONLY));
        fails(MPI.ERR_AMODE, () -> new File(world, name, MPI.MODE_CREATE));
        File made = opened(MPI.MODE_EXCL);
        made.setSize(8);
        assertEquals(8, made.getSize());
        made.preallocate(4);
        assertEquals(8, made.getSize());
        assertEquals(4, made.getGroup().getSize());
        made.sync();
        made.close();
        fails(MPI.ERR_FILE_EXISTS, () -> opened(MPI.MODE_EXCL));
        File appended = new File(world, name, MPI.MODE_WRONLY | MPI.MODE_APPEND);
        assertEquals(8, appended.getPosition());
        fails(MPI.ERR_ACCESS, () -> appended.read(new byte[1], 1, MPI.BYTE));
        appended.close();
        File read = new File(world, name, MPI.MODE_RDONLY);
        fails(MPI.ERR_ACCESS, () -> read.write(new byte[1], 1, MPI.BYTE));
        read.close();
        fails(MPI.ERR_NO_SUCH_FILE, () -> File.delete(name + ".none"));
    }

    public static void whatIsKnownOfIt() throws MPIException {
        Info info = new Info();
        info.set("hint", "value");
        File file = new File(world, name, MPI.MODE_RDWR | MPI.MODE_CREATE, info);
        assertEquals("value", file.getInfo().get("hint"));
        file.setInfo(new Info());
        assertEquals(0, file.getInfo().size());
        file.setView(0, MPI.INT, MPI.INT, "internal", info);
        assertEquals(MPI.INT, file.getView().getEType());
        assertEquals(0, file.getView().getDisp());
        assertEquals("internal", file.getView().getDataRep());
        assertEquals(2, new FileView(2, MPI.INT, MPI.INT, "native").getDisp());
        assertEquals(MPI.MODE_RDWR | MPI.MODE_CREATE, file.getAMode());
        assertEquals(1, file.getTypeExtent(MPI.INT));
        file.callErrhandler(MPI.ERR_OTHER);
        assertEquals(MPI.ERRORS_RETURN, file.getErrhandler());
        file.setErrhandler(MPI.ERRORS_RETURN);
        file.close();
    }

    /** What doesn't block, and what is in two halves. */
    public static void otherForms() throws MPIException {
        File file = opened(0);
        file.setView(0, MPI.INT, MPI.INT, "native", MPI.INFO_NULL);
        IntBuffer own = MPI.newIntBuffer(1);
        own.put(0, rank);
        IntBuffer got = MPI.newIntBuffer(1);
        file.iWriteAt(rank, own, 1, MPI.INT).waitFor();
        file.iWriteAtAll(4 + rank, own, 1, MPI.INT).waitFor();
        file.writeAt(8 + rank, own, 1, MPI.INT);
        file.writeAtAllBegin(12 + rank, own, 1, MPI.INT);
        file.writeAtAllEnd(own);
        world.barrier();
        for (int i = 0; i < 16; i++) {
            file.iReadAtAll(i, got, 1, MPI.INT).waitFor();
            assertEquals(i % 4, got.get(0));
        }
        file.readAtAll(5, got, 1, MPI.INT);
        assertEquals(1, got.get(0));
        world.barrier();
        file.seek(4 * rank, MPI.SEEK_SET);
        file.iWrite(own, 1, MPI.INT).waitFor();
        file.iWriteAll(own, 1, MPI.INT).waitFor();
        file.writeAllBegin(own, 1, MPI.INT);
        file.writeAllEnd(own);
        file.seek(-3, MPI.SEEK_CUR);
        Request[] read = {file.iRead(got, 1, MPI.INT), file.iReadAll(got, 1, MPI.INT)};
        assertEquals(2, Request.waitSome(read).length);
        file.readAllBegin(got, 1, MPI.INT);
        assertEquals(1, file.readAllEnd(got).getCount(MPI.INT));
        assertEquals(rank, got.get(0));
        world.barrier();
        file.iWriteShared(own, 1, MPI.INT).waitFor();
        world.barrier();
        assertEquals(4, file.getPositionShared());
        file.seekShared(0, MPI.SEEK_SET);
        file.writeOrderedBegin(own, 1, MPI.INT);
        file.writeOrderedEnd(own);
        file.seekShared(0, MPI.SEEK_SET);
        file.readOrdered(got, 1, MPI.INT);
        assertEquals(rank, got.get(0));
        file.seekShared(0, MPI.SEEK_SET);
        file.readShared(got, 1, MPI.INT);
        file.iReadShared(got, 1, MPI.INT).waitFor();
        world.barrier();
        assertEquals(8, file.getPositionShared());
        file.close();
        world.barrier();
        if (rank == 0) {
            File.delete(name, MPI.INFO_NULL);
        }
    }
}
