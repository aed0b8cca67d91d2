package mpi;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

/**
 * MPI_File: a file that all ranks of a communicator have open, on any file system that a {@link FileChannel} reaches.
 * Offsets are in etypes of the view. Bytes are as the machine has them. The methods that all ranks call wait for each
 * other only if they open, close, resize, set the view, or use the shared pointer.
 *
 * <p>The shared pointer is in a file beside this one while it is open. <i>Thread</i>: one at a time.
 */
public final class File {
    /** Of what is packed at once, unless an item has more. */
    private static final int CHUNK_BYTES = 1 << 22;

    private static final FileView WHOLE = new FileView(0, MPI.BYTE, MPI.BYTE, "native");
    private static final int ACCESS = MPI.MODE_RDONLY | MPI.MODE_WRONLY | MPI.MODE_RDWR;

    private interface Input<T> {
        T get() throws IOException;
    }

    private final Communicator ranks;
    private final Path path;
    private final int amode;
    /** Null once it was closed. */
    private FileChannel file;

    private SharedPointer shared;
    private FileView view = WHOLE;
    private ViewedBytes viewed = new ViewedBytes(WHOLE);
    private long position;
    private boolean isAtomic;
    private Info info;
    private Errhandler errhandler = MPI.ERRORS_RETURN;
    private Status split;
    private Object splitBuffer;

    /** MPI_File_open. */
    public File(Comm comm, String filename, int amode) throws MPIException {
        this(comm, filename, amode, null);
    }

    /** MPI_File_open: all ranks of the communicator call it. */
    public File(Comm comm, String filename, int amode, Info info) throws MPIException {
        this.amode = amode;
        this.info = Info.copyOf(info);
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

    private static MPIException of(Exception error, Path path) {
        int errorClass = MPI.ERR_IO;
        if (error instanceof NoSuchFileException) {
            errorClass = MPI.ERR_NO_SUCH_FILE;
        } else if (error instanceof FileAlreadyExistsException) {
            errorClass = MPI.ERR_FILE_EXISTS;
        } else if (error instanceof AccessDeniedException) {
            errorClass = MPI.ERR_ACCESS;
        } else if (error instanceof java.nio.channels.NonReadableChannelException
                || error instanceof java.nio.channels.NonWritableChannelException) {
            errorClass = MPI.ERR_ACCESS;
        } else if (error instanceof RuntimeException && !(error instanceof UnsupportedOperationException)) {
            return Errors.of((RuntimeException) error);
        }
        return new MPIException(errorClass, path + ": " + error, error);
    }

    private MPIException failed(MPIException error) {
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

    private ViewedBytes view() throws MPIException {
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
                throw failed(Errors.of(
                        MPI.ERR_ARG, "seek from " + whence + ": MPI.SEEK_SET, MPI.SEEK_CUR or MPI.SEEK_END"));
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

    // --- what it is --------------------------------------------------------------------------------------------------

    /** MPI_File_close: all ranks call it. */
    public void close() throws MPIException {
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

    /** MPI_File_delete. */
    public static void delete(String filename) throws MPIException {
        MPI.check();
        try {
            Files.delete(Path.of(filename));
        } catch (IOException e) {
            throw of(e, Path.of(filename));
        }
    }

    /** MPI_File_delete. */
    public static void delete(String filename, Info info) throws MPIException {
        delete(filename);
    }

    /** MPI_File_set_size: all ranks call it alike. */
    public void setSize(long size) throws MPIException {
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

    /** MPI_File_preallocate: all ranks call it alike. */
    public void preallocate(long size) throws MPIException {
        view();
        ranks.barrier();
        together(() -> {
            grow(size);
            return size;
        });
    }

    /** MPI_File_get_size: in bytes. */
    public long getSize() throws MPIException {
        view();
        return io(() -> file.size());
    }

    /** MPI_File_get_group. */
    public Group getGroup() throws MPIException {
        view();
        return new Group(ranks.group());
    }

    /** MPI_File_get_amode. */
    public int getAMode() throws MPIException {
        view();
        return amode;
    }

    /** MPI_File_set_info. */
    public void setInfo(Info hints) throws MPIException {
        view();
        info = Info.copyOf(hints);
    }

    /** MPI_File_get_info: a copy. */
    public Info getInfo() throws MPIException {
        view();
        return Info.copyOf(info);
    }

    /** MPI_File_set_view. */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        setView(disp, etype, filetype, datarep, null);
    }

    /**
     * MPI_File_set_view: all ranks call it, with etypes of one size; each may see other bytes. Both pointers are 0 then.
     *
     * @param datarep "native" or "internal"
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info hints)
            throws MPIException {
        view();
        if (!"native".equals(datarep) && !"internal".equals(datarep)) {
            throw failed(Errors.of(
                    MPI.ERR_UNSUPPORTED_DATAREP, "the representation " + datarep + ": \"native\" or \"internal\""));
        }
        long from = disp == MPI.DISPLACEMENT_CURRENT ? io(() -> viewed.inFile(position * viewed.etypeBytes())) : disp;
        FileView newView = new FileView(from, etype, filetype, datarep);
        viewed = new ViewedBytes(newView);
        view = newView;
        position = 0;
        if (hints != null && !hints.isNull()) {
            info = Info.copyOf(hints);
        }
        ranks.barrier();
        if (isSharedUsed()) {
            together(() -> {
                shared.set(0);
                return 0L;
            });
        }
        ranks.barrier();
    }

    /** Of one that is new nothing has to be written. */
    private boolean isSharedUsed() {
        int[] isUsed = {shared.isThere() ? 1 : 0};
        ranks.allReduce(Data.IN_PLACE, isUsed, Reduction.MAX);
        return isUsed[0] > 0 || (amode & MPI.MODE_APPEND) != 0;
    }

    /** MPI_File_get_view. */
    public FileView getView() {
        return view;
    }

    /** MPI_File_get_type_extent: in elements of the type's basic one, as {@link Datatype#getExtent}. */
    public int getTypeExtent(Datatype type) throws MPIException {
        view();
        return type.getExtent();
    }

    /** MPI_File_set_atomicity: all ranks call it alike. */
    public void setAtomicity(boolean atomicity) throws MPIException {
        view();
        ranks.barrier();
        isAtomic = atomicity;
    }

    /** MPI_File_get_atomicity. */
    public boolean getAtomicity() throws MPIException {
        view();
        return isAtomic;
    }

    /** MPI_File_sync: what was written is on the disk. */
    public void sync() throws MPIException {
        view();
        io(() -> {
            file.force(true);
            return null;
        });
        ranks.barrier();
    }

    /** MPI_File_set_errhandler. */
    public void setErrhandler(Errhandler handler) throws MPIException {
        view();
        errhandler = handler;
    }

    /** MPI_File_get_errhandler. */
    public Errhandler getErrhandler() throws MPIException {
        view();
        return errhandler;
    }

    /** MPI_File_call_errhandler: ends the job if errors are fatal. */
    public void callErrhandler(int errorCode) throws MPIException {
        view();
        errhandler.told(Errors.of(errorCode, "the program has found an error of class " + errorCode));
    }

    // --- at an offset ------------------------------------------------------------------------------------------------

    /** MPI_File_read_at. */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return readItems(checkedOffset(offset), buf, count, type);
    }

    /** MPI_File_read_at_all. */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return readItems(checkedOffset(offset), buf, count, type);
    }

    /** MPI_File_write_at. */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return writeItems(checkedOffset(offset), buf, count, type);
    }

    /** MPI_File_write_at_all. */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return writeItems(checkedOffset(offset), buf, count, type);
    }

    /** MPI_File_iread_at: is over when it returns. */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readItems(checkedOffset(offset), buf, count, type));
    }

    /** MPI_File_iread_at_all: is over when it returns. */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readItems(checkedOffset(offset), buf, count, type));
    }

    /** MPI_File_iwrite_at: is over when it returns. */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeItems(checkedOffset(offset), buf, count, type));
    }

    /** MPI_File_iwrite_at_all: is over when it returns. */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeItems(checkedOffset(offset), buf, count, type));
    }

    // --- at this rank's pointer --------------------------------------------------------------------------------------

    /** MPI_File_read. */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return readNext(buf, count, type);
    }

    /** MPI_File_read_all. */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return readNext(buf, count, type);
    }

    /** MPI_File_write. */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return writeNext(buf, count, type);
    }

    /** MPI_File_write_all. */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return writeNext(buf, count, type);
    }

    /** MPI_File_iread: is over when it returns. */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return iRead((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iRead(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readNext(buf, count, type));
    }

    /** MPI_File_iread_all: is over when it returns. */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readNext(buf, count, type));
    }

    /** MPI_File_iwrite: is over when it returns. */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return iWrite((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWrite(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeNext(buf, count, type));
    }

    /** MPI_File_iwrite_all: is over when it returns. */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeNext(buf, count, type));
    }

    private Status readNext(Object buf, int count, Datatype type) throws MPIException {
        Status status = readItems(checkedPosition(), buf, count, type);
        position += status.bytes() / view().etypeBytes();
        return status;
    }

    private Status writeNext(Object buf, int count, Datatype type) throws MPIException {
        Status status = writeItems(checkedPosition(), buf, count, type);
        position += status.bytes() / view().etypeBytes();
        return status;
    }

    private long checkedPosition() throws MPIException {
        refuseSequential();
        return position;
    }

    /** MPI_File_seek: in etypes. */
    public void seek(long offset, int whence) throws MPIException {
        refuseSequential();
        position = sought(offset, whence, position);
    }

    /** MPI_File_get_position: in etypes. */
    public long getPosition() throws MPIException {
        view();
        return position;
    }

    /** MPI_File_get_byte_offset: where an offset of the view is in the file. */
    public long getByteOffset(long offset) throws MPIException {
        return view().inFile(checkedOffset(offset) * view().etypeBytes());
    }

    // --- at the pointer that all ranks share -------------------------------------------------------------------------

    /** MPI_File_read_shared. */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return readItems(claimed(count, type), buf, count, type);
    }

    /** MPI_File_write_shared. */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return writeItems(claimed(count, type), buf, count, type);
    }

    /** MPI_File_iread_shared: is over when it returns. */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readItems(claimed(count, type), buf, count, type));
    }

    /** MPI_File_iwrite_shared: is over when it returns. */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeItems(claimed(count, type), buf, count, type));
    }

    /** MPI_File_read_ordered. */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return readItems(ordered(count, type), buf, count, type);
    }

    /** MPI_File_write_ordered. */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
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

    /** MPI_File_seek_shared: in etypes; all ranks call it alike. */
    public void seekShared(long offset, int whence) throws MPIException {
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

    /** MPI_File_get_position_shared: in etypes. */
    public long getPositionShared() throws MPIException {
        view();
        return io(() -> shared.getAndAdd(0));
    }

    // --- in two halves -----------------------------------------------------------------------------------------------

    /** MPI_File_read_at_all_begin. */
    public void readAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = readAtAll(offset, buf, count, type);
    }

    /** MPI_File_read_at_all_end. */
    public Status readAtAllEnd(Object buf) throws MPIException {
        return end(buf);
    }

    /** MPI_File_write_at_all_begin. */
    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = writeAtAll(offset, buf, count, type);
    }

    /** MPI_File_write_at_all_end. */
    public Status writeAtAllEnd(Object buf) throws MPIException {
        return end(buf);
    }

    /** MPI_File_read_all_begin. */
    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = readAll(buf, count, type);
    }

    /** MPI_File_read_all_end. */
    public Status readAllEnd(Object buf) throws MPIException {
        return end(buf);
    }

    /** MPI_File_write_all_begin. */
    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = writeAll(buf, count, type);
    }

    /** MPI_File_write_all_end. */
    public Status writeAllEnd(Object buf) throws MPIException {
        return end(buf);
    }

    /** MPI_File_read_ordered_begin. */
    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = readOrdered(buf, count, type);
    }

    /** MPI_File_read_ordered_end. */
    public Status readOrderedEnd(Object buf) throws MPIException {
        return end(buf);
    }

    /** MPI_File_write_ordered_begin. */
    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin(buf);
        split = writeOrdered(buf, count, type);
    }

    /** MPI_File_write_ordered_end. */
    public Status writeOrderedEnd(Object buf) throws MPIException {
        return end(buf);
    }

    private void begin(Object buf) throws MPIException {
        view();
        if (split != null) {
            throw failed(Errors.of(MPI.ERR_IO, "a collective is begun on this file: end it before the next begins"));
        }
        splitBuffer = buf;
    }

    private Status end(Object buf) throws MPIException {
        view();
        if (split == null || splitBuffer != buf) {
            throw failed(Errors.of(MPI.ERR_IO, "no collective is begun on this file with this buffer"));
        }
        Status ended = split;
        split = null;
        splitBuffer = null;
        return ended;
    }
}
