package mpi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Packing;
import org.sluice.mpi.Reduction;

/** What a {@link File} is made of: a channel in each rank, what it sees of it, and where it is. <i>Thread</i>: one. */
final class OpenFile {
    /** Of what is packed at once, unless an item has more. */
    private static final int CHUNK_BYTES = 1 << 22;

    private static final FileView WHOLE = new FileView(0, MPI.BYTE, MPI.BYTE, "native");
    private static final int ACCESS = MPI.MODE_RDONLY | MPI.MODE_WRONLY | MPI.MODE_RDWR;

    interface Input<T> {
        T get() throws IOException;
    }

    final Communicator ranks;
    final Path path;
    final int amode;
    /** Null once it was closed. */
    private FileChannel file;

    private final SharedPointer shared;
    private FileView view = WHOLE;
    private ViewedBytes viewed = new ViewedBytes(WHOLE);
    private long position;
    boolean isAtomic;
    Errhandler errhandler = MPI.ERRORS_RETURN;

    /** All ranks of the communicator make one. */
    OpenFile(Comm comm, String filename, int amode) throws MPIException {
        this.amode = amode;
        path = Path.of(filename).toAbsolutePath();
        checkMode(amode);
        try {
            ranks = comm.intra().duplicate();
        } catch (RuntimeException e) {
            throw Errors.of(e);
        }
        open();
        long end = (amode & MPI.MODE_APPEND) != 0 ? io(() -> viewed.before(file.size())) : 0;
        position = end;
        long[] id = {ThreadLocalRandom.current().nextLong() >>> 1};
        ranks.broadcast(id, 0);
        Path beside = path.resolveSibling("." + path.getFileName() + ".shared-" + Long.toHexString(id[0]));
        shared = new SharedPointer(beside, end);
    }

    private static void checkMode(int amode) throws MPIException {
        int access = amode & ACCESS;
        boolean isOne = access == MPI.MODE_RDONLY || access == MPI.MODE_WRONLY || access == MPI.MODE_RDWR;
        boolean isMade = (amode & (MPI.MODE_CREATE | MPI.MODE_EXCL)) != 0;
        if (!isOne
                || isMade && access == MPI.MODE_RDONLY
                || access == MPI.MODE_RDWR && (amode & MPI.MODE_SEQUENTIAL) != 0) {
            throw Errors.of(
                    MPI.ERR_AMODE,
                    "mode " + amode + ": one of MPI.MODE_RDONLY, MODE_WRONLY and MODE_RDWR; with MODE_CREATE and"
                            + " MODE_EXCL not the first, with MODE_SEQUENTIAL not the last");
        }
    }

    /** The first rank makes it, so that MODE_EXCL means what it says. */
    private void open() throws MPIException {
        Set<OpenOption> options = new HashSet<>();
        if ((amode & MPI.MODE_WRONLY) == 0) {
            options.add(StandardOpenOption.READ);
        }
        if ((amode & MPI.MODE_RDONLY) == 0) {
            options.add(StandardOpenOption.WRITE);
        }
        Set<OpenOption> making = new HashSet<>(options);
        if ((amode & MPI.MODE_CREATE) != 0) {
            boolean isNew = (amode & MPI.MODE_EXCL) != 0;
            making.add(isNew ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
        }
        MPIException failed = ranks.rank() == 0 ? opened(making) : null;
        int[] worst = {failed == null ? 0 : failed.getErrorClass()};
        ranks.broadcast(worst, 0);
        if (worst[0] == 0 && ranks.rank() > 0) {
            failed = opened(options);
            worst[0] = failed == null ? 0 : failed.getErrorClass();
        }
        ranks.allReduce(Data.IN_PLACE, worst, Reduction.MAX);
        if (worst[0] != 0) {
            io(() -> {
                if (file != null) {
                    file.close();
                }
                return null;
            });
            ranks.free();
            throw failed != null ? failed : Errors.of(worst[0], "another rank could not open " + path);
        }
    }

    private MPIException opened(Set<OpenOption> options) {
        try {
            file = FileChannel.open(path, options);
            return null;
        } catch (IOException | RuntimeException e) {
            return of(e, path);
        }
    }

    // --- for the calls -----------------------------------------------------------------------------------------------

    static MPIException of(Exception error, Path path) {
        int errorClass = MPI.ERR_IO;
        if (error instanceof NoSuchFileException) {
            errorClass = MPI.ERR_NO_SUCH_FILE;
        } else if (error instanceof FileAlreadyExistsException) {
            errorClass = MPI.ERR_FILE_EXISTS;
        } else if (error instanceof AccessDeniedException) {
            errorClass = MPI.ERR_ACCESS;
        } else if (error instanceof NonReadableChannelException || error instanceof NonWritableChannelException) {
            errorClass = MPI.ERR_ACCESS;
        } else if (error instanceof RuntimeException && !(error instanceof UnsupportedOperationException)) {
            return Errors.of((RuntimeException) error);
        }
        return new MPIException(errorClass, path + ": " + error, error);
    }

    MPIException failed(MPIException error) {
        return errhandler.told(error);
    }

    private <T> T io(Input<T> input) throws MPIException {
        try {
            return input.get();
        } catch (IOException | RuntimeException e) {
            throw failed(of(e, path));
        }
    }

    /** Done by the first rank, for all. */
    private long together(Input<Long> input) throws MPIException {
        long[] told = new long[2];
        MPIException failed = null;
        if (ranks.rank() == 0) {
            try {
                told[0] = input.get();
            } catch (IOException | RuntimeException e) {
                failed = of(e, path);
                told[1] = failed.getErrorClass();
            }
        }
        ranks.broadcast(told, 0);
        if (told[1] != 0) {
            throw failed(failed != null ? failed : Errors.of((int) told[1], "rank 0 has failed with " + path));
        }
        return told[0];
    }

    ViewedBytes view() throws MPIException {
        MPI.check();
        if (file == null) {
            throw failed(Errors.of(MPI.ERR_FILE, "the file " + path + " was closed"));
        }
        return viewed;
    }

    private long checkedOffset(long offset) throws MPIException {
        refuseSequential();
        if (offset < 0) {
            throw failed(Errors.of(MPI.ERR_ARG, "the offset is " + offset + ": 0 or more"));
        }
        return offset;
    }

    private void refuseSequential() throws MPIException {
        view();
        if ((amode & MPI.MODE_SEQUENTIAL) != 0) {
            throw failed(Errors.of(
                    MPI.ERR_UNSUPPORTED_OPERATION,
                    path + " was opened with MPI.MODE_SEQUENTIAL: it takes the shared pointer alone"));
        }
    }

    private long sought(long offset, int whence, long from) throws MPIException {
        long base;
        switch (whence) {
            case MPI.SEEK_SET:
                base = 0;
                break;
            case MPI.SEEK_CUR:
                base = from;
                break;
            case MPI.SEEK_END:
                base = io(() -> viewed.before(file.size())) / viewed.etypeBytes();
                break;
            default:
                throw failed(
                        Errors.of(MPI.ERR_ARG, "seek from " + whence + ": MPI.SEEK_SET, MPI.SEEK_CUR or MPI.SEEK_END"));
        }
        if (base + offset < 0) {
            throw failed(Errors.of(MPI.ERR_ARG, "a position of " + (base + offset) + ": 0 or more"));
        }
        return base + offset;
    }

    /** Items one part after another, packed in between. */
    private Status readItems(long etypes, Object buf, int count, Datatype type) throws MPIException {
        return new Status(moved(etypes, buf, count, type, false));
    }

    private Status writeItems(long etypes, Object buf, int count, Datatype type) throws MPIException {
        return new Status(moved(etypes, buf, count, type, true));
    }

    private long moved(long etypes, Object buf, int count, Datatype type, boolean writing) throws MPIException {
        Buffers.checkCount(count);
        if (Datatype.used(type).layout().size() % view().etypeBytes() != 0) {
            throw failed(Errors.of(MPI.ERR_TYPE, "items of " + type + " are no whole etypes of the view"));
        }
        long from = etypes * viewed.etypeBytes();
        if (!isAtomic) {
            return io(() -> move(from, buf, count, type, writing));
        }
        boolean isRead = (amode & MPI.MODE_RDONLY) != 0;
        return io(() -> LockedFile.use(path, file, isRead, opened -> move(from, buf, count, type, writing)));
    }

    private long move(long from, Object buf, int count, Datatype type, boolean writing) throws IOException {
        try {
            Object whole = Buffers.held(buf, type);
            long size = type.layout().size();
            if (count == 0 || size == 0) {
                return 0;
            }
            long unit = UserBuffer.elementSize(whole);
            int most = (int) Math.min(count, Math.max(1, CHUNK_BYTES / size));
            byte[] packed = new byte[Math.toIntExact(most * size)];
            long done = 0;
            for (int item = 0; item < count; item += most) {
                int items = Math.min(most, count - item);
                Data part = Data.of(whole, item * type.layout().extent() / unit, items, type.layout());
                int bytes = (int) (items * size);
                ByteBuffer chunk = ByteBuffer.wrap(packed, 0, bytes);
                // What isn't read stays as it was.
                Packing.pack(part, packed, 0);
                if (writing) {
                    viewed.write(file, from + done, chunk);
                    done += bytes;
                    continue;
                }
                int read = viewed.read(file, from + done, chunk);
                Packing.unpack(packed, 0, part);
                done += read;
                if (read < bytes) {
                    break;
                }
            }
            return done;
        } catch (MPIException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    // --- where it reads and writes -----------------------------------------------------------------------------------

    Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return readItems(checkedOffset(offset), buf, count, type);
    }

    Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return writeItems(checkedOffset(offset), buf, count, type);
    }

    Status readNext(Object buf, int count, Datatype type) throws MPIException {
        Status status = readItems(checkedPosition(), buf, count, type);
        position += status.bytes() / view().etypeBytes();
        return status;
    }

    Status writeNext(Object buf, int count, Datatype type) throws MPIException {
        Status status = writeItems(checkedPosition(), buf, count, type);
        position += status.bytes() / view().etypeBytes();
        return status;
    }

    private long checkedPosition() throws MPIException {
        refuseSequential();
        return position;
    }

    void seek(long offset, int whence) throws MPIException {
        refuseSequential();
        position = sought(offset, whence, position);
    }

    long position() throws MPIException {
        view();
        return position;
    }

    long inFile(long offset) throws MPIException {
        return view().inFile(checkedOffset(offset) * viewed.etypeBytes());
    }

    Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return readItems(claimed(count, type), buf, count, type);
    }

    Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return writeItems(claimed(count, type), buf, count, type);
    }

    Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return readItems(ordered(count, type), buf, count, type);
    }

    Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return writeItems(ordered(count, type), buf, count, type);
    }

    /** How many etypes so many items are. */
    private long etypes(int count, Datatype type) throws MPIException {
        Buffers.checkCount(count);
        return count * Datatype.used(type).layout().size() / view().etypeBytes();
    }

    private long claimed(int count, Datatype type) throws MPIException {
        long etypes = etypes(count, type);
        return io(() -> shared.getAndAdd(etypes));
    }

    /** Of all ranks, in their order. */
    private long ordered(int count, Datatype type) throws MPIException {
        long[] all = new long[ranks.size()];
        ranks.allGather(new long[] {etypes(count, type)}, all);
        long before = 0;
        long sum = 0;
        for (int i = 0; i < all.length; i++) {
            before += i < ranks.rank() ? all[i] : 0;
            sum += all[i];
        }
        long etypes = sum;
        return together(() -> shared.getAndAdd(etypes)) + before;
    }

    void seekShared(long offset, int whence) throws MPIException {
        view();
        ranks.barrier();
        together(() -> {
            long before = shared.getAndAdd(0);
            long now;
            try {
                now = sought(offset, whence, before);
            } catch (MPIException e) {
                throw new IOException(e.getMessage(), e);
            }
            shared.set(now);
            return now;
        });
    }

    long sharedPosition() throws MPIException {
        view();
        return io(() -> shared.getAndAdd(0));
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    void close() throws MPIException {
        view();
        ranks.barrier();
        io(() -> {
            shared.close();
            file.close();
            return null;
        });
        file = null;
        ranks.barrier();
        together(() -> {
            shared.delete();
            if ((amode & MPI.MODE_DELETE_ON_CLOSE) != 0) {
                Files.deleteIfExists(path);
            }
            return 0L;
        });
        ranks.free();
    }

    void setSize(long size) throws MPIException {
        view();
        ranks.barrier();
        together(() -> {
            file.truncate(size);
            grow(size);
            return size;
        });
    }

    private void grow(long size) throws IOException {
        if (file.size() < size) {
            file.write(ByteBuffer.allocate(1), size - 1);
        }
    }

    void preallocate(long size) throws MPIException {
        view();
        ranks.barrier();
        together(() -> {
            grow(size);
            return size;
        });
    }

    long size() throws MPIException {
        view();
        return io(() -> file.size());
    }

    void sync() throws MPIException {
        view();
        io(() -> {
            file.force(true);
            return null;
        });
        ranks.barrier();
    }

    void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        view();
        FileView newView = new FileView(disp == MPI.DISPLACEMENT_CURRENT ? current() : disp, etype, filetype, datarep);
        ViewedBytes made = null;
        MPIException wrong = null;
        try {
            made = viewed(newView);
        } catch (MPIException e) {
            wrong = e;
        }
        int[] worst = {wrong == null ? 0 : wrong.getErrorClass()};
        ranks.allReduce(Data.IN_PLACE, worst, Reduction.MAX);
        if (worst[0] != 0) {
            throw failed(wrong != null ? wrong : Errors.of(worst[0], "another rank gave a view that is wrong"));
        }
        viewed = made;
        view = newView;
        position = 0;
        if (isSharedUsed()) {
            together(() -> {
                shared.set(0);
                return 0L;
            });
        }
        ranks.barrier();
    }

    private static ViewedBytes viewed(FileView newView) throws MPIException {
        String datarep = newView.getDataRep();
        if (!"native".equals(datarep) && !"internal".equals(datarep)) {
            throw Errors.of(
                    MPI.ERR_UNSUPPORTED_DATAREP, "the representation " + datarep + ": \"native\" or \"internal\"");
        }
        return new ViewedBytes(newView);
    }

    /** Where the shared pointer is in the file: what MPI has for files that have no other. */
    private long current() throws MPIException {
        if ((amode & MPI.MODE_SEQUENTIAL) == 0) {
            throw failed(Errors.of(
                    MPI.ERR_DISP, "MPI.DISPLACEMENT_CURRENT is for files that are open with MPI.MODE_SEQUENTIAL"));
        }
        ranks.barrier();
        return viewed.inFile(together(() -> shared.getAndAdd(0)) * viewed.etypeBytes());
    }

    /** Of one that is new nothing has to be written. */
    private boolean isSharedUsed() {
        int[] isUsed = {shared.isThere() ? 1 : 0};
        ranks.allReduce(Data.IN_PLACE, isUsed, Reduction.MAX);
        return isUsed[0] > 0 || (amode & MPI.MODE_APPEND) != 0;
    }

    FileView shownView() {
        return view;
    }
}
