package org.sluice.mpi.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Layout;

/** Calls at random: all ranks draw the same, do their own part of it, and look at what they see. */
final class FileModelRank {
    private static final int MOST_ETYPES = 40;
    private static final Layout[] ETYPES = {Layout.BYTE, Layout.SHORT, Layout.INT, Layout.LONG};

    private final Communicator world;
    private final Random random;
    private final Path path;
    private final int rank;
    private final FileModel model;
    private SharedFile file;
    /** All ranks see the same, so that what they do one after another doesn't lie one over the other. */
    private boolean isSameView = true;

    FileModelRank(Communicator world, long seed, Path path) {
        this.world = world;
        this.random = new Random(seed);
        this.path = path;
        this.rank = world.rank();
        this.model = new FileModel(world.size());
    }

    void run(int steps) throws IOException {
        file = SharedFile.open(world, path, FileMode.READ, FileMode.WRITE, FileMode.CREATE_NEW);
        for (int step = 0; step < steps; step++) {
            step();
            world.barrier();
            assertEquals(model.size(), file.size());
            assertEquals(model.positions[rank], file.position());
            assertEquals(model.sharedPosition, file.sharedPosition());
            world.barrier();
        }
        file.close();
    }

    private void step() throws IOException {
        switch (random.nextInt(10)) {
            case 0:
                setView();
                break;
            case 1:
            case 2:
                writeByOne();
                break;
            case 3:
                writeInOrder();
                break;
            case 4:
            case 5:
                readByAll();
                break;
            case 6:
                readInOrder();
                break;
            case 7:
                seek();
                break;
            case 8:
                resize();
                break;
            default:
                reopen();
                break;
        }
    }

    private void setView() throws IOException {
        Layout etype = ETYPES[random.nextInt(ETYPES.length)];
        isSameView = random.nextBoolean();
        FileView[] drawn = new FileView[world.size()];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = isSameView && i > 0 ? drawn[0] : new FileView(random.nextInt(20), etype, filetype(etype));
            model.setView(i, drawn[i]);
        }
        file.setView(drawn[rank].displacement(), etype, drawn[rank].filetype());
        assertEquals(drawn[rank], file.view());
    }

    private Layout filetype(Layout etype) {
        if (random.nextInt(3) == 0) {
            return etype;
        }
        int runs = 1 + random.nextInt(4);
        int[] lengths = new int[runs];
        int[] places = new int[runs];
        int end = random.nextInt(3);
        for (int i = 0; i < runs; i++) {
            places[i] = end + random.nextInt(3);
            lengths[i] = 1 + random.nextInt(3);
            end = places[i] + lengths[i];
        }
        return etype.indexed(lengths, places).resized(0, (end + random.nextInt(3)) * etype.size());
    }

    private byte[] bytes(int by) {
        byte[] drawn = new byte[random.nextInt(MOST_ETYPES) * model.etype(by)];
        random.nextBytes(drawn);
        return drawn;
    }

    private FileData data(byte[] contents, int by) {
        int several = model.etype(by) * (1 + random.nextInt(4));
        return new FileData(random, contents, contents.length % several == 0 ? several : model.etype(by));
    }

    private void writeByOne() throws IOException {
        int writer = random.nextInt(world.size());
        byte[] written = bytes(writer);
        long offset = random.nextInt(MOST_ETYPES);
        FileData data = data(written, writer);
        int form = random.nextInt(3);
        long etypes = written.length / model.etype(writer);
        long bytes = written.length;
        if (form == 0) {
            model.write(writer, offset, written);
            bytes = rank == writer ? file.writeAt(offset, data.given) : bytes;
        } else if (form == 1) {
            model.write(writer, model.positions[writer], written);
            model.positions[writer] += etypes;
            bytes = rank == writer ? file.write(data.given) : bytes;
        } else {
            model.write(writer, model.sharedPosition, written);
            model.sharedPosition += etypes;
            bytes = rank == writer ? file.writeShared(data.given) : bytes;
        }
        assertEquals(written.length, bytes);
    }

    private void writeInOrder() throws IOException {
        for (int i = 0; i < world.size(); i++) {
            byte[] written = bytes(i);
            FileData data = data(written, i);
            if (isSameView) {
                model.write(i, model.sharedPosition, written);
                model.sharedPosition += written.length / model.etype(i);
                if (i == rank) {
                    assertEquals(written.length, file.writeOrdered(data.given));
                }
            }
        }
    }

    /** What wasn't read stayed as it was. */
    private void check(long from, FileData data, byte[] before, long read) {
        byte[] expected = model.read(rank, from, before.length);
        assertEquals(expected.length, read);
        byte[] all = Arrays.copyOf(expected, before.length);
        System.arraycopy(before, expected.length, all, expected.length, before.length - expected.length);
        assertArrayEquals(all, data.contents());
    }

    private void readByAll() throws IOException {
        boolean isAtPointer = random.nextBoolean();
        for (int i = 0; i < world.size(); i++) {
            byte[] before = bytes(i);
            FileData data = data(before, i);
            long from = isAtPointer ? model.positions[i] : random.nextInt(2 * MOST_ETYPES);
            if (i == rank) {
                check(from, data, before, isAtPointer ? file.read(data.given) : file.readAt(from, data.given));
            }
            if (isAtPointer) {
                model.positions[i] += model.read(i, from, before.length).length / model.etype(i);
            }
        }
    }

    private void readInOrder() throws IOException {
        boolean isByOne = random.nextBoolean();
        int reader = random.nextInt(world.size());
        for (int i = 0; i < world.size(); i++) {
            byte[] before = bytes(i);
            FileData data = data(before, i);
            if (!isByOne || i == reader) {
                long from = model.sharedPosition;
                if (i == rank) {
                    long read = isByOne ? file.readShared(data.given) : file.readOrdered(data.given);
                    check(from, data, before, read);
                }
                model.sharedPosition += before.length / model.etype(i);
            }
        }
    }

    private void seek() throws IOException {
        SharedFile.From from = SharedFile.From.values()[random.nextInt(3)];
        long offset = random.nextInt(10);
        boolean isShared = random.nextBoolean();
        if (isShared) {
            long base = from == SharedFile.From.END ? model.end(0) : 0;
            model.sharedPosition = offset + (from == SharedFile.From.POINTER ? model.sharedPosition : base);
            file.seekShared(offset, from);
            return;
        }
        for (int i = 0; i < world.size(); i++) {
            long base = from == SharedFile.From.END ? model.end(i) : 0;
            model.positions[i] = offset + (from == SharedFile.From.POINTER ? model.positions[i] : base);
        }
        file.seek(offset, from);
        assertEquals(model.place(rank, model.positions[rank] * model.etype(rank)), file.byteOffset(file.position()));
    }

    private void resize() throws IOException {
        int size = random.nextInt(400);
        if (random.nextBoolean()) {
            model.setSize(size);
            file.setSize(size);
        } else {
            model.setSize(Math.max(size, model.size()));
            file.preallocate(size);
        }
        file.setAtomic(random.nextBoolean());
    }

    private void reopen() throws IOException {
        file.close();
        boolean isAppended = random.nextBoolean();
        file = isAppended
                ? SharedFile.open(world, path, FileMode.READ, FileMode.WRITE, FileMode.APPEND)
                : SharedFile.open(world, path, FileMode.READ, FileMode.WRITE, FileMode.CREATE);
        for (int i = 0; i < world.size(); i++) {
            model.setView(i, FileView.ALL_BYTES);
            model.positions[i] = isAppended ? model.size() : 0;
        }
        model.sharedPosition = model.positions[0];
        isSameView = true;
    }
}
