package org.sluice.mpi.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Layout;
import org.sluice.mpi.files.SharedFile.From;

/** What the model doesn't do: openings, large items, and what goes wrong. */
final class SharedFileTest {
    private static final FileMode[] MADE = {FileMode.READ, FileMode.WRITE, FileMode.CREATE};

    @TempDir
    Path folder;

    private void run(CommunicatorJob.Body body) {
        try (CommunicatorJob job = new CommunicatorJob(3, Place.THREADS)) {
            job.run(body);
        }
    }

    private SharedFile made(Communicator world) throws IOException {
        return SharedFile.open(world, folder.resolve("made"), MADE);
    }

    private static void assertSays(String words, Throwable thrown) {
        assertTrue(thrown.getMessage().contains(words), thrown::getMessage);
    }

    @Test
    void allRanksThrowTheSameWhereItCantBeOpened() {
        run(world -> {
            Path none = folder.resolve("none");
            assertThrows(NoSuchFileException.class, () -> SharedFile.open(world, none, FileMode.READ));
            made(world).close();
            assertThrows(
                    FileAlreadyExistsException.class,
                    () -> SharedFile.open(
                            world, folder.resolve("made"), FileMode.WRITE, FileMode.CREATE, FileMode.CREATE_NEW));
            Path own = world.rank() == 1 ? none : folder.resolve("made");
            NoSuchFileException thrown =
                    assertThrows(NoSuchFileException.class, () -> SharedFile.open(world, own, FileMode.READ));
            assertSays(world.rank() == 1 ? "none" : "rank 1", thrown);
        });
    }

    @Test
    void modesAreCheckedAtAllRanks() {
        run(world -> {
            Path path = folder.resolve("none");
            FileMode own = world.rank() == 2 ? FileMode.APPEND : FileMode.READ;
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> SharedFile.open(world, path, own));
            assertSays(world.rank() == 2 ? "neither FileMode.READ nor WRITE" : "another rank", thrown);
            FileMode other = world.rank() == 2 ? FileMode.READ : FileMode.WRITE;
            assertSays(
                    "different values of the mode",
                    assertThrows(IllegalArgumentException.class, () -> SharedFile.open(world, path, other)));
            assertThrows(
                    IllegalArgumentException.class, () -> SharedFile.open(world, path, FileMode.READ, FileMode.CREATE));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> SharedFile.open(world, path, FileMode.READ, FileMode.WRITE, FileMode.SEQUENTIAL));
            assertThrows(IllegalArgumentException.class, () -> SharedFile.open(world, null, FileMode.READ));
            assertThrows(IllegalArgumentException.class, () -> SharedFile.open(world, path, (FileMode) null));
            assertFalse(Files.exists(path));
        });
    }

    @Test
    void whatIsWrongAtOneRankIsRefusedAtAll() {
        run(world -> {
            boolean isWrong = world.rank() == 1;
            try (SharedFile file = made(world)) {
                assertThrows(
                        IllegalArgumentException.class, () -> file.setView(isWrong ? -1 : 0, Layout.INT, Layout.INT));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> file.setView(0, isWrong ? Layout.INT : Layout.LONG, Layout.LONG));
                Layout filetype = isWrong ? Layout.INT.indexed(new int[] {1, 1}, new int[] {1, 0}) : Layout.INT;
                assertThrows(IllegalArgumentException.class, () -> file.setView(0, Layout.INT, filetype));
                assertThrows(
                        IllegalArgumentException.class, () -> file.setView(0, isWrong ? null : Layout.INT, Layout.INT));
                assertEquals(FileView.ALL_BYTES, file.view());
                assertThrows(IllegalArgumentException.class, () -> file.setSize(isWrong ? 3 : 4));
                assertThrows(IllegalArgumentException.class, () -> file.preallocate(-1));
                assertThrows(IllegalArgumentException.class, () -> file.setAtomic(isWrong));
                assertThrows(IllegalArgumentException.class, () -> file.seekShared(isWrong ? 1 : 0, From.BEGIN));
                assertThrows(IllegalArgumentException.class, () -> file.seekShared(-1, From.POINTER));
                Object data = isWrong ? new int[1][1] : new int[1];
                IllegalArgumentException thrown =
                        assertThrows(IllegalArgumentException.class, () -> file.writeOrdered(data));
                assertSays(isWrong ? "int[][]" : "rank 1 gave data that is wrong", thrown);
                assertEquals(0, file.size());
                assertEquals(0, file.sharedPosition());
            }
        });
    }

    @Test
    void whatARankMayNotIsSaidAtOnce() {
        run(world -> {
            SharedFile file = made(world);
            file.setView(0, Layout.INT, Layout.INT);
            assertThrows(IllegalArgumentException.class, () -> file.writeAt(-1, new int[1]));
            assertThrows(IllegalArgumentException.class, () -> file.write(new byte[3]));
            assertThrows(IllegalArgumentException.class, () -> file.seek(-1, From.BEGIN));
            assertThrows(IllegalArgumentException.class, () -> file.seek(0, null));
            assertThrows(IndexOutOfBoundsException.class, () -> file.read(Data.of(new int[1], 1, 1)));
            Data blocks = Data.blocks(new int[3], new int[] {1, 1, 1}, new int[] {0, 1, 2});
            assertThrows(IllegalArgumentException.class, () -> file.read(blocks));
            assertEquals(Set.of(MADE), file.modes());
            assertEquals(3, file.group().size());
            file.close();
            file.close();
            assertFalse(file.isOpen());
            assertThrows(IllegalStateException.class, () -> file.read(new int[1]));
            assertThrows(IllegalStateException.class, file::size);
            try (SharedFile read = SharedFile.open(world, file.path(), FileMode.READ)) {
                assertSays(
                        "without FileMode.WRITE",
                        assertThrows(AccessDeniedException.class, () -> read.write(new byte[1])));
                assertThrows(AccessDeniedException.class, () -> read.setSize(0));
                read.setAtomic(true);
                assertEquals(0, read.read(new byte[1]));
            }
        });
    }

    @Test
    void theSharedPointerSaysThatItNeedsAFolder() throws IOException {
        Path none = Files.createFile(folder.resolve("file")).resolve("pointer");
        FileSystemException thrown =
                assertThrows(FileSystemException.class, () -> new SharedPointer(none, 0).getAndAdd(1));
        assertSays("ranks need a folder that they may write to", thrown);
    }

    /** Closing would drop the lock that somebody else of this JVM has. */
    @Test
    void aFileIsNotClosedWhileItIsLocked() throws Exception {
        Path path = Files.createFile(folder.resolve("locked"));
        CountDownLatch isClosed = new CountDownLatch(1);
        try (FileChannel one = FileChannel.open(path, StandardOpenOption.WRITE)) {
            FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE);
            Thread closing = new Thread(() -> {
                try {
                    LockedFile.close(path, other);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                isClosed.countDown();
            });
            LockedFile.use(path, one, false, file -> {
                closing.start();
                try {
                    assertFalse(isClosed.await(50, TimeUnit.MILLISECONDS), "closed within");
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return other.isOpen();
            });
            assertTrue(isClosed.await(20, TimeUnit.SECONDS), "not closed");
        }
    }

    @Test
    void aSequentialFileTakesTheSharedPointerAlone() {
        run(world -> {
            Path path = folder.resolve("sequential");
            byte own = (byte) (1 + world.rank());
            try (SharedFile file = SharedFile.open(world, path, FileMode.WRITE, FileMode.CREATE, FileMode.SEQUENTIAL)) {
                assertThrows(UnsupportedOperationException.class, () -> file.write(new byte[1]));
                assertThrows(UnsupportedOperationException.class, () -> file.seek(0, From.BEGIN));
                file.writeOrdered(new byte[] {own});
                file.setViewAtSharedPointer(Layout.SHORT, Layout.SHORT);
                assertEquals(3, file.view().displacement());
                file.writeOrdered(new short[] {own});
            }
            try (SharedFile file = SharedFile.open(world, path, FileMode.READ, FileMode.DELETE_ON_CLOSE)) {
                byte[] bytes = new byte[3];
                file.readAt(0, bytes);
                assertArrayEquals(new byte[] {1, 2, 3}, bytes);
                file.setView(3, Layout.SHORT, Layout.SHORT);
                short[] shorts = new short[4];
                assertEquals(6, file.readAt(0, shorts));
                assertArrayEquals(new short[] {1, 2, 3, 0}, shorts);
                file.sync();
            }
            assertFalse(Files.exists(path));
        });
    }

    @Test
    void whereTheFileEndsWithinAnItemTheRestStaysAsItWas() {
        run(world -> {
            try (SharedFile file = made(world)) {
                file.writeAt(0, new byte[] {1, 2, 3, 4, 5, 6});
                world.barrier();
                byte[] got = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
                Layout apart = Layout.BYTE.vector(2, 2, 3).resized(0, 5);
                assertEquals(5, file.readAt(1, Data.of(got, 1, 2, apart)));
                assertArrayEquals(new byte[] {9, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9}, got);
            }
        });
    }

    /** More than is packed at once, and items that are larger than that. */
    @Test
    void whatIsLargeGoesInParts() {
        run(world -> {
            try (SharedFile file = made(world)) {
                int[] columns = new int[2 * 700_000];
                for (int i = 0; i < columns.length; i++) {
                    columns[i] = i + world.rank();
                }
                Layout everySecond = Layout.INT.resized(0, 8);
                file.setView(world.rank() * 2_800_000L, Layout.INT, Layout.INT);
                assertEquals(2_800_000, file.write(Data.of(columns, 1, 700_000, everySecond)));
                Layout item = Layout.INT.vector(350_000, 1, 2).resized(0, 2_800_000);
                int[] got = new int[columns.length];
                assertEquals(2_800_000, file.readAt(0, Data.of(got, 0, 2, item)));
                for (int i = 0; i < 700_000; i++) {
                    assertEquals(columns[2 * i + 1], got[2 * i]);
                    assertEquals(0, got[2 * i + 1]);
                }
                world.barrier();
                assertEquals(3 * 2_800_000, file.size());
            }
        });
    }
}
