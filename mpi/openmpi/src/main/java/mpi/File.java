package mpi;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * MPI_File: a file that all ranks of a communicator have open, on any file system that a {@link FileChannel} reaches.
 * Offsets are in etypes of the view. Bytes are as the machine has them. The methods that all ranks call wait for each
 * other only if they open, close, resize, set the view, or use the shared pointer.
 *
 * <p>The shared pointer is in a file beside this one while it is open. <i>Thread</i>: one at a time.
 */
public final class File {
    private final OpenFile open;
    private Info info;
    private Status split;
    private Object splitBuffer;

    /** MPI_File_open. */
    public File(Comm comm, String filename, int amode) throws MPIException {
        this(comm, filename, amode, null);
    }

    /** MPI_File_open: all ranks of the communicator call it. */
    public File(Comm comm, String filename, int amode, Info info) throws MPIException {
        this.open = new OpenFile(comm, filename, amode);
        this.info = Info.copyOf(info);
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    /** MPI_File_close: all ranks call it. */
    public void close() throws MPIException {
        open.close();
    }

    /** MPI_File_delete. */
    public static void delete(String filename) throws MPIException {
        MPI.check();
        Path path = Path.of(filename);
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw OpenFile.of(e, path);
        }
    }

    /** MPI_File_delete. */
    public static void delete(String filename, Info info) throws MPIException {
        delete(filename);
    }

    /** MPI_File_set_size: all ranks call it alike. */
    public void setSize(long size) throws MPIException {
        open.setSize(size);
    }

    /** MPI_File_preallocate: all ranks call it alike. */
    public void preallocate(long size) throws MPIException {
        open.preallocate(size);
    }

    /** MPI_File_get_size: in bytes. */
    public long getSize() throws MPIException {
        return open.size();
    }

    /** MPI_File_get_group. */
    public Group getGroup() throws MPIException {
        open.view();
        return new Group(open.ranks.group());
    }

    /** MPI_File_get_amode. */
    public int getAMode() throws MPIException {
        open.view();
        return open.amode;
    }

    /** MPI_File_set_info. */
    public void setInfo(Info hints) throws MPIException {
        open.view();
        info = Info.copyOf(hints);
    }

    /** MPI_File_get_info: a copy. */
    public Info getInfo() throws MPIException {
        open.view();
        return Info.copyOf(info);
    }

    /** MPI_File_set_view. */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        setView(disp, etype, filetype, datarep, null);
    }

    /**
     * MPI_File_set_view: all ranks call it, with etypes of one size; each may see other bytes. Both pointers are 0
     * then.
     *
     * @param datarep "native" or "internal"
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info hints) throws MPIException {
        open.setView(disp, etype, filetype, datarep);
        if (hints != null && !hints.isNull()) {
            info = Info.copyOf(hints);
        }
    }

    /** MPI_File_get_view. */
    public FileView getView() {
        return open.shownView();
    }

    /** MPI_File_get_type_extent: in elements of the type's basic one, as {@link Datatype#getExtent}. */
    public int getTypeExtent(Datatype type) throws MPIException {
        open.view();
        return type.getExtent();
    }

    /** MPI_File_set_atomicity: all ranks call it alike. */
    public void setAtomicity(boolean atomicity) throws MPIException {
        open.view();
        open.ranks.barrier();
        open.isAtomic = atomicity;
    }

    /** MPI_File_get_atomicity. */
    public boolean getAtomicity() throws MPIException {
        open.view();
        return open.isAtomic;
    }

    /** MPI_File_sync: what was written is on the disk. */
    public void sync() throws MPIException {
        open.sync();
    }

    /** MPI_File_set_errhandler. */
    public void setErrhandler(Errhandler handler) throws MPIException {
        open.view();
        open.errhandler = handler;
    }

    /** MPI_File_get_errhandler. */
    public Errhandler getErrhandler() throws MPIException {
        open.view();
        return open.errhandler;
    }

    /** MPI_File_call_errhandler: ends the job if errors are fatal. */
    public void callErrhandler(int errorCode) throws MPIException {
        open.view();
        open.failed(Errors.of(errorCode, "the program has found an error of class " + errorCode));
    }

    // --- at an offset ------------------------------------------------------------------------------------------------

    /** MPI_File_read_at. */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.readAt(offset, buf, count, type);
    }

    /** MPI_File_read_at_all. */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.readAt(offset, buf, count, type);
    }

    /** MPI_File_write_at. */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.writeAt(offset, buf, count, type);
    }

    /** MPI_File_write_at_all. */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.writeAt(offset, buf, count, type);
    }

    /** MPI_File_iread_at: is over when it returns. */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.readAt(offset, buf, count, type));
    }

    /** MPI_File_iread_at_all: is over when it returns. */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.readAt(offset, buf, count, type));
    }

    /** MPI_File_iwrite_at: is over when it returns. */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.writeAt(offset, buf, count, type));
    }

    /** MPI_File_iwrite_at_all: is over when it returns. */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.writeAt(offset, buf, count, type));
    }

    // --- at this rank's pointer --------------------------------------------------------------------------------------

    /** MPI_File_read. */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return open.readNext(buf, count, type);
    }

    /** MPI_File_read_all. */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return open.readNext(buf, count, type);
    }

    /** MPI_File_write. */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return open.writeNext(buf, count, type);
    }

    /** MPI_File_write_all. */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return open.writeNext(buf, count, type);
    }

    /** MPI_File_iread: is over when it returns. */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return iRead((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iRead(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.readNext(buf, count, type));
    }

    /** MPI_File_iread_all: is over when it returns. */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.readNext(buf, count, type));
    }

    /** MPI_File_iwrite: is over when it returns. */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return iWrite((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWrite(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.writeNext(buf, count, type));
    }

    /** MPI_File_iwrite_all: is over when it returns. */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.writeNext(buf, count, type));
    }

    /** MPI_File_seek: in etypes. */
    public void seek(long offset, int whence) throws MPIException {
        open.seek(offset, whence);
    }

    /** MPI_File_get_position: in etypes. */
    public long getPosition() throws MPIException {
        return open.position();
    }

    /** MPI_File_get_byte_offset: where an offset of the view is in the file. */
    public long getByteOffset(long offset) throws MPIException {
        return open.inFile(offset);
    }

    // --- at the pointer that all ranks share -------------------------------------------------------------------------

    /** MPI_File_read_shared. */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return open.readShared(buf, count, type);
    }

    /** MPI_File_write_shared. */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return open.writeShared(buf, count, type);
    }

    /** MPI_File_iread_shared: is over when it returns. */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.readShared(buf, count, type));
    }

    /** MPI_File_iwrite_shared: is over when it returns. */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(open.writeShared(buf, count, type));
    }

    /** MPI_File_read_ordered. */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return open.readOrdered(buf, count, type);
    }

    /** MPI_File_write_ordered. */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return open.writeOrdered(buf, count, type);
    }

    /** MPI_File_seek_shared: in etypes; all ranks call it alike. */
    public void seekShared(long offset, int whence) throws MPIException {
        open.seekShared(offset, whence);
    }

    /** MPI_File_get_position_shared: in etypes. */
    public long getPositionShared() throws MPIException {
        return open.sharedPosition();
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
        open.view();
        if (split != null) {
            throw open.failed(
                    Errors.of(MPI.ERR_IO, "a collective is begun on this file: end it before the next begins"));
        }
        splitBuffer = buf;
    }

    private Status end(Object buf) throws MPIException {
        open.view();
        if (split == null || splitBuffer != buf) {
            throw open.failed(Errors.of(MPI.ERR_IO, "no collective is begun on this file with this buffer"));
        }
        Status ended = split;
        split = null;
        splitBuffer = null;
        return ended;
    }
}
