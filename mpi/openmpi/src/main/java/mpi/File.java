package mpi;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluice.mpi.files.SharedFile;

/**
 * MPI_File: a {@link SharedFile}. Offsets are in etypes of the view. Bytes are as the machine has them. The methods
 * that all ranks call wait for each other only if they open, close, resize, sync, set the view or atomicity, or go by
 * the order of ranks.
 *
 * <p><i>Thread</i>: one at a time.
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
        open.use(file -> {
            file.close();
            return null;
        });
    }

    /** MPI_File_delete. */
    public static void delete(String filename) throws MPIException {
        MPI.check();
        try {
            Files.delete(Path.of(filename));
        } catch (IOException e) {
            throw OpenFile.of(e);
        }
    }

    /** MPI_File_delete. */
    public static void delete(String filename, Info info) throws MPIException {
        delete(filename);
    }

    /** MPI_File_set_size: all ranks call it alike. */
    public void setSize(long size) throws MPIException {
        open.use(file -> {
            file.setSize(size);
            return null;
        });
    }

    /** MPI_File_preallocate: all ranks call it alike. */
    public void preallocate(long size) throws MPIException {
        open.use(file -> {
            file.preallocate(size);
            return null;
        });
    }

    /** MPI_File_get_size: in bytes. */
    public long getSize() throws MPIException {
        return open.use(SharedFile::size);
    }

    /** MPI_File_get_group. */
    public Group getGroup() throws MPIException {
        return open.use(file -> new Group(file.group()));
    }

    /** MPI_File_get_amode. */
    public int getAMode() throws MPIException {
        return open.amode();
    }

    /** MPI_File_set_info. */
    public void setInfo(Info hints) throws MPIException {
        info = open.use(file -> Info.copyOf(hints));
    }

    /** MPI_File_get_info: a copy. */
    public Info getInfo() throws MPIException {
        return open.use(file -> Info.copyOf(info));
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
        open.setView(new FileView(disp, etype, filetype, datarep));
        if (hints != null && !hints.isNull()) {
            info = Info.copyOf(hints);
        }
    }

    /** MPI_File_get_view. */
    public FileView getView() {
        return open.view();
    }

    /** MPI_File_get_type_extent: in elements of the type's basic one, as {@link Datatype#getExtent}. */
    public int getTypeExtent(Datatype type) throws MPIException {
        return open.use(file -> type.getExtent());
    }

    /** MPI_File_set_atomicity: all ranks call it alike. */
    public void setAtomicity(boolean atomicity) throws MPIException {
        open.use(file -> {
            file.setAtomic(atomicity);
            return null;
        });
    }

    /** MPI_File_get_atomicity. */
    public boolean getAtomicity() throws MPIException {
        return open.use(SharedFile::isAtomic);
    }

    /** MPI_File_sync: what was written is on the disk. */
    public void sync() throws MPIException {
        open.use(file -> {
            file.sync();
            return null;
        });
    }

    /** MPI_File_set_errhandler. */
    public void setErrhandler(Errhandler handler) throws MPIException {
        if (handler == null) {
            throw Errors.of(MPI.ERR_ARG, "the error handler is null: MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        open.errhandler = open.use(file -> handler);
    }

    /** MPI_File_get_errhandler. */
    public Errhandler getErrhandler() throws MPIException {
        return open.use(file -> open.errhandler);
    }

    /** MPI_File_call_errhandler: ends the job if errors are fatal. */
    public void callErrhandler(int errorCode) throws MPIException {
        MPIException found = Errors.of(errorCode, "the program has found an error of class " + errorCode);
        open.use(file -> open.failed(found));
    }

    // --- at an offset ------------------------------------------------------------------------------------------------

    /** MPI_File_read_at. */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, (file, items) -> file.readAt(offset, items));
    }

    /** MPI_File_read_at_all. */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, (file, items) -> file.readAt(offset, items));
    }

    /** MPI_File_write_at. */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, (file, items) -> file.writeAt(offset, items));
    }

    /** MPI_File_write_at_all. */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, (file, items) -> file.writeAt(offset, items));
    }

    /** MPI_File_iread_at: is over when it returns. */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readAt(offset, buf, count, type));
    }

    /** MPI_File_iread_at_all: is over when it returns. */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readAt(offset, buf, count, type));
    }

    /** MPI_File_iwrite_at: is over when it returns. */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAt(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeAt(offset, buf, count, type));
    }

    /** MPI_File_iwrite_at_all: is over when it returns. */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAtAll(offset, (Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeAt(offset, buf, count, type));
    }

    // --- at this rank's pointer --------------------------------------------------------------------------------------

    /** MPI_File_read. */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::read);
    }

    /** MPI_File_read_all. */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::read);
    }

    /** MPI_File_write. */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::write);
    }

    /** MPI_File_write_all. */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::write);
    }

    /** MPI_File_iread: is over when it returns. */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return iRead((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iRead(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(read(buf, count, type));
    }

    /** MPI_File_iread_all: is over when it returns. */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(read(buf, count, type));
    }

    /** MPI_File_iwrite: is over when it returns. */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return iWrite((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWrite(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(write(buf, count, type));
    }

    /** MPI_File_iwrite_all: is over when it returns. */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteAll((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteAll(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(write(buf, count, type));
    }

    /** MPI_File_seek: in etypes. */
    public void seek(long offset, int whence) throws MPIException {
        open.use(file -> {
            file.seek(offset, OpenFile.from(whence));
            return null;
        });
    }

    /** MPI_File_get_position: in etypes. */
    public long getPosition() throws MPIException {
        return open.use(SharedFile::position);
    }

    /** MPI_File_get_byte_offset: where an offset of the view is in the file. */
    public long getByteOffset(long offset) throws MPIException {
        return open.use(file -> file.byteOffset(offset));
    }

    // --- at the pointer that all ranks share -------------------------------------------------------------------------

    /** MPI_File_read_shared. */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::readShared);
    }

    /** MPI_File_write_shared. */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return open.move(buf, count, type, SharedFile::writeShared);
    }

    /** MPI_File_iread_shared: is over when it returns. */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iReadShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iReadShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(readShared(buf, count, type));
    }

    /** MPI_File_iwrite_shared: is over when it returns. */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return iWriteShared((Object) buf, count, type);
    }

    /** As that with buffers, of arrays, too. */
    public Request iWriteShared(Object buf, int count, Datatype type) throws MPIException {
        return Request.over(writeShared(buf, count, type));
    }

    /** MPI_File_read_ordered. */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return open.moveOrdered(buf, count, type, SharedFile::readOrdered);
    }

    /** MPI_File_write_ordered. */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return open.moveOrdered(buf, count, type, SharedFile::writeOrdered);
    }

    /** MPI_File_seek_shared: in etypes; all ranks call it alike. */
    public void seekShared(long offset, int whence) throws MPIException {
        open.use(file -> {
            file.seekShared(offset, OpenFile.from(whence));
            return null;
        });
    }

    /** MPI_File_get_position_shared: in etypes. */
    public long getPositionShared() throws MPIException {
        return open.use(SharedFile::sharedPosition);
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
        open.use(file -> {
            if (split != null) {
                throw Errors.of(MPI.ERR_IO, "a collective is begun on this file: end it before the next begins");
            }
            return null;
        });
        splitBuffer = buf;
    }

    private Status end(Object buf) throws MPIException {
        Status ended = open.use(file -> {
            if (split == null || splitBuffer != buf) {
                throw Errors.of(MPI.ERR_IO, "no collective is begun on this file with this buffer");
            }
            return split;
        });
        split = null;
        splitBuffer = null;
        return ended;
    }
}
