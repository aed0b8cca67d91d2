package org.sluice.mpi.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Group;
import org.sluice.mpi.Layout;
import org.sluice.mpi.PackedParts;
import org.sluice.mpi.Reduction;

/**
 * A file that all ranks of a communicator have open (MPI 4.1, chapter 14), on any file system that a
 * {@link FileChannel} reaches. Each rank sees the bytes that its {@link FileView} shows; offsets and pointers are in
 * etypes of that, of which all bytes are one at first. Bytes are as the machine has them.
 *
 * <p>Calls take a buffer or a {@link Data}, as those of a {@link Communicator}, and return how many bytes were read or
 * written; {@link Layout#items} makes items of them. Less than the data has is read at the file's end alone; what isn't
 * read stays as it was. Opening, closing, and what says so are called by all ranks; nothing else waits for others.
 *
 * <p><i>Thread</i>: one at a time in each rank; the buffer is the caller's again when the call returns. <i>Fails</i>:
 * IOException for what the file system says, at all ranks of a call that all make; IllegalArgumentException for a
 * caller's mistake, before anything is read or written; IllegalStateException once it is closed.
 */
public final class SharedFile implements Closeable {
    /** What a seek counts from. */
    public enum From {
        BEGIN,
        POINTER,
        /** The end of what the view shows of the file. */
        END
    }

    /** Of what is packed at once, unless an item has more. */
    private static final int CHUNK_BYTES = 1 << 20;

    private final Communicator ranks;
    private final AllRanks all;
    private final Path path;
    private final Set<FileMode> modes;
    private final SharedPointer shared;
    /** Null until it is open. */
    private FileChannel file;
    /** The file's own, by whichever way it was named. */
    private Path realPath;

    private boolean isClosed;
    private FileView view = FileView.ALL_BYTES;
    private ViewedBytes viewed = new ViewedBytes(view);
    private long position;
    private boolean isAtomic;
    /** Direct, for what can't be read and written where it lies; null until then. */
    private ByteBuffer chunk;

    private SharedFile(Communicator ranks, Path path, FileMode... given) throws IOException {
        this.ranks = ranks;
        this.path = path == null ? null : path.toAbsolutePath();
        this.all = new AllRanks(ranks, this.path);
        this.modes = EnumSet.noneOf(FileMode.class);
        IllegalArgumentException wrong = wrongWith(given);
        long bits = 0;
        for (FileMode mode : modes) {
            bits |= 1L << mode.ordinal();
        }
        all.check(wrong, "mode", bits);
        open();
        long end = has(FileMode.APPEND) ? all.byFirst(() -> file.size()) : 0;
        position = end;
        long[] id = {ThreadLocalRandom.current().nextLong() >>> 1};
        ranks.broadcast(id, 0);
        String beside = "." + this.path.getFileName() + ".shared-" + Long.toHexString(id[0]);
        shared = new SharedPointer(this.path.resolveSibling(beside), end);
    }

    /**
     * Opens it. All ranks of the communicator call it, with the same modes and the path of one file; the first one
     * makes the file. The communicator is free for anything else.
     *
     * @param modes {@link FileMode#READ}, {@link FileMode#WRITE} or both, and others
     * @throws IOException as of {@link FileChannel#open(Path, OpenOption...)}, of the same class at all ranks
     */
    public static SharedFile open(Communicator communicator, Path path, FileMode... modes) throws IOException {
        Communicator ranks = communicator.duplicate();
        try {
            return new SharedFile(ranks, path, modes);
        } catch (IOException | RuntimeException e) {
            ranks.free();
            throw e;
        }
    }

    private IllegalArgumentException wrongWith(FileMode[] given) {
        if (path == null) {
            return new IllegalArgumentException("the path is null: give that of the file");
        }
        for (FileMode mode : given) {
            if (mode == null) {
                return new IllegalArgumentException("a mode is null: give FileMode.READ, WRITE and others");
            }
            modes.add(mode);
        }
        return FileMode.wrongWith(modes);
    }

    /** The first rank makes it, so that CREATE_NEW means what it says. */
    private void open() throws IOException {
        try {
            all.byFirst(() -> opened(true));
            all.each(() -> ranks.rank() == 0 ? 0 : opened(false));
        } catch (IOException | RuntimeException e) {
            if (file != null) {
                LockedFile.close(realPath == null ? path : realPath, file);
            }
            throw e;
        }
    }

    private long opened(boolean isMaking) throws IOException {
        file = FileChannel.open(path, FileMode.options(modes, isMaking));
        realPath = path.toRealPath();
        return 0;
    }

    // --- what it is --------------------------------------------------------------------------------------------------

    /** Absolute. */
    public Path path() {
        return path;
    }

    /** The caller's own copy. */
    public Set<FileMode> modes() {
        return EnumSet.copyOf(modes);
    }

    /** The ranks that have it open. */
    public Group group() {
        return ranks.group();
    }

    /** Whether this rank has not closed it. */
    public boolean isOpen() {
        return !isClosed;
    }

    /**
     * Closes it; does nothing if it is closed. All ranks call it, and it returns when all have: a file that is deleted
     * by then is gone.
     */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            // A process that closes a file loses the locks that its other ranks have on it.
            ranks.barrier();
        } catch (RuntimeException e) {
            shared.close();
            LockedFile.close(realPath, file);
            ranks.free();
            throw e;
        }
        try {
            all.each(() -> {
                shared.close();
                LockedFile.close(realPath, file);
                return 0;
            });
            all.byFirst(() -> {
                shared.delete();
                return has(FileMode.DELETE_ON_CLOSE) && Files.deleteIfExists(path) ? 1 : 0;
            });
        } finally {
            ranks.free();
        }
    }

    /** In bytes. */
    public long size() throws IOException {
        refuseClosed();
        return file.size();
    }

    /** Cuts it, or has zeros follow. All ranks call it alike. */
    public void setSize(long bytes) throws IOException {
        refuseWithout(FileMode.WRITE);
        all.check(wrongSize(bytes), "size", bytes);
        all.byFirst(() -> {
            file.truncate(bytes);
            if (file.size() < bytes) {
                file.write(ByteBuffer.allocate(1), bytes - 1);
            }
            return 0;
        });
    }

    /** Has it take so many bytes of the disk at least: zeros follow if it is shorter. All ranks call it alike. */
    public void preallocate(long bytes) throws IOException {
        refuseWithout(FileMode.WRITE);
        all.check(wrongSize(bytes), "size", bytes);
        all.byFirst(() -> {
            ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, bytes));
            for (long end = file.size(); end < bytes; ) {
                end += file.write(zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - end)), end);
            }
            return 0;
        });
    }

    private static IllegalArgumentException wrongSize(long bytes) {
        return bytes >= 0 ? null : new IllegalArgumentException("a size of " + bytes + " bytes: 0 or more");
    }

    /** What all ranks have written is on the disk, and can be read by any. All ranks call it. */
    public void sync() throws IOException {
        refuseClosed();
        all.each(() -> {
            file.force(true);
            return 0;
        });
    }

    /**
     * Whether each call of a rank reads or writes as if no other went on meanwhile: it locks the file, for other
     * programs, too. All ranks call it alike; it isn't so at first.
     */
    public void setAtomic(boolean newAtomic) {
        refuseClosed();
        all.check(null, "atomicity", newAtomic ? 1 : 0);
        isAtomic = newAtomic;
    }

    public boolean isAtomic() {
        return isAtomic;
    }

    // --- views -------------------------------------------------------------------------------------------------------

    /** What this rank sees. */
    public FileView view() {
        return view;
    }

    /**
     * Has this rank see those bytes, and no others, as {@link FileView} takes them. All ranks call it, with etypes of
     * one size. Both pointers are 0 then.
     */
    public void setView(long displacement, Layout etype, Layout filetype) throws IOException {
        refuseClosed();
        FileView newView = null;
        IllegalArgumentException wrong = null;
        try {
            newView = new FileView(displacement, etype, filetype);
        } catch (IllegalArgumentException e) {
            wrong = e;
        }
        all.check(wrong, "view", newView == null ? 0 : newView.etype().size());
        view = newView;
        viewed = new ViewedBytes(newView);
        position = 0;
        int[] isUsed = {shared.isUsed() ? 1 : 0};
        ranks.allReduce(Data.IN_PLACE, isUsed, Reduction.MAX);
        if (isUsed[0] > 0 || has(FileMode.APPEND)) {
            all.byFirst(() -> shared.set(0));
        }
    }

    /** As {@link #setView}, from where the shared pointer is on: what follows in a {@link FileMode#SEQUENTIAL} file. */
    public void setViewAtSharedPointer(Layout etype, Layout filetype) throws IOException {
        refuseClosed();
        ranks.barrier();
        long etypes = all.byFirst(() -> shared.getAndAdd(0));
        setView(viewed.inFile(etypes * view.etype().size()), etype, filetype);
    }

    /** Where an offset of the view is in the file, in bytes. */
    public long byteOffset(long offset) {
        refuseSequential();
        return viewed.inFile(checked(offset) * view.etype().size());
    }

    // --- at an offset ------------------------------------------------------------------------------------------------

    public long readAt(long offset, Object data) throws IOException {
        refuseSequential();
        return move(checked(offset), taken(data, true), true);
    }

    public long writeAt(long offset, Object data) throws IOException {
        refuseSequential();
        return move(checked(offset), taken(data, false), false);
    }

    // --- at this rank's pointer --------------------------------------------------------------------------------------

    /** Reads, and moves this rank's pointer behind what was read. */
    public long read(Object data) throws IOException {
        refuseSequential();
        long bytes = move(position, taken(data, true), true);
        position += bytes / view.etype().size();
        return bytes;
    }

    /** Writes, and moves this rank's pointer behind that. */
    public long write(Object data) throws IOException {
        refuseSequential();
        long bytes = move(position, taken(data, false), false);
        position += bytes / view.etype().size();
        return bytes;
    }

    public long position() {
        refuseClosed();
        return position;
    }

    public void seek(long offset, From from) throws IOException {
        refuseSequential();
        if (from == null) {
            throw wrongFrom();
        }
        position = checked(target(offset, from, position));
    }

    private static IllegalArgumentException wrongFrom() {
        return new IllegalArgumentException("what to seek from is null: give From.BEGIN, POINTER or END");
    }

    private long target(long offset, From from, long pointer) throws IOException {
        switch (from) {
            case BEGIN:
                return offset;
            case POINTER:
                return pointer + offset;
            default:
                return viewed.before(file.size()) / view.etype().size() + offset;
        }
    }

    // --- at the pointer that all ranks share -------------------------------------------------------------------------

    /** Reads what follows, which no other rank gets. */
    public long readShared(Object data) throws IOException {
        PackedParts parts = taken(data, true);
        return move(claimed(parts), parts, true);
    }

    /** Writes behind what any rank has written so. */
    public long writeShared(Object data) throws IOException {
        PackedParts parts = taken(data, false);
        return move(claimed(parts), parts, false);
    }

    private long claimed(PackedParts parts) throws IOException {
        return shared.getAndAdd(parts.bytes() / view.etype().size());
    }

    /** Reads one rank after another what follows, in the order of ranks. All ranks call it. */
    public long readOrdered(Object data) throws IOException {
        return moveOrdered(data, true);
    }

    /** Writes what one rank after another has, in the order of ranks. All ranks call it. */
    public long writeOrdered(Object data) throws IOException {
        return moveOrdered(data, false);
    }

    private long moveOrdered(Object data, boolean isRead) throws IOException {
        refuseWithout(isRead ? FileMode.READ : FileMode.WRITE);
        PackedParts parts = null;
        RuntimeException wrong = null;
        try {
            parts = taken(data, isRead);
        } catch (RuntimeException e) {
            wrong = e;
        }
        long[] etypes = new long[ranks.size()];
        ranks.allGather(
                new long[] {parts == null ? -1 : parts.bytes() / view.etype().size()}, etypes);
        if (wrong != null) {
            throw wrong;
        }
        long before = 0;
        long sum = 0;
        for (int i = 0; i < etypes.length; i++) {
            if (etypes[i] < 0) {
                throw new IllegalArgumentException(
                        "rank " + i + " gave data that is wrong: its own exception says why; nothing was moved");
            }
            before += i < ranks.rank() ? etypes[i] : 0;
            sum += etypes[i];
        }
        long together = sum;
        long own = all.byFirst(() -> shared.getAndAdd(together)) + before;
        PackedParts taken = parts;
        long[] moved = new long[1];
        all.each(() -> moved[0] = move(own, taken, isRead));
        return moved[0];
    }

    public long sharedPosition() throws IOException {
        refuseClosed();
        return shared.getAndAdd(0);
    }

    /** All ranks call it alike. */
    public void seekShared(long offset, From from) throws IOException {
        refuseClosed();
        all.check(from == null ? wrongFrom() : null, "seek", offset, from == null ? 0 : from.ordinal());
        checked(all.byFirst(() -> {
            long target = target(offset, from, shared.getAndAdd(0));
            return target < 0 ? target : shared.set(target);
        }));
    }

    // --- how it is done ----------------------------------------------------------------------------------------------

    private boolean has(FileMode mode) {
        return modes.contains(mode);
    }

    private void refuseClosed() {
        if (isClosed) {
            throw new IllegalStateException("the file " + path + " was closed");
        }
    }

    private void refuseWithout(FileMode mode) throws IOException {
        refuseClosed();
        if (!has(mode)) {
            throw new AccessDeniedException(path.toString(), null, "it was opened without FileMode." + mode);
        }
    }

    private void refuseSequential() {
        refuseClosed();
        if (has(FileMode.SEQUENTIAL)) {
            throw new UnsupportedOperationException(
                    path + " was opened with FileMode.SEQUENTIAL: it takes the shared pointer alone");
        }
    }

    private static long checked(long etypes) {
        if (etypes < 0) {
            throw new IllegalArgumentException("an offset or pointer of " + etypes + " etypes: 0 or more");
        }
        return etypes;
    }

    private PackedParts taken(Object data, boolean isRead) throws IOException {
        refuseWithout(isRead ? FileMode.READ : FileMode.WRITE);
        PackedParts parts = PackedParts.of(data, isRead);
        if (parts.bytes() % view.etype().size() != 0) {
            throw new IllegalArgumentException("the data has " + parts.bytes() + " bytes, and the view's etype "
                    + view.etype().size() + ": give whole etypes");
        }
        if (parts.unit() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "an item with holes has " + parts.unit() + " bytes, which is more than a buffer takes: split it");
        }
        return parts;
    }

    private long move(long etypes, PackedParts parts, boolean isRead) throws IOException {
        long from = Math.multiplyExact(etypes, view.etype().size());
        if (!isAtomic) {
            return moved(from, parts, isRead);
        }
        return LockedFile.use(realPath, file, !has(FileMode.WRITE), opened -> moved(from, parts, isRead));
    }

    private long moved(long from, PackedParts parts, boolean isRead) throws IOException {
        if (parts.inPlace() != null) {
            return movedPart(from, parts.inPlace(), isRead);
        }
        long bytes = parts.bytes();
        ByteBuffer part = chunk((int) Math.min(bytes, Math.max(CHUNK_BYTES, parts.unit())));
        long most = part.capacity() / parts.unit() * parts.unit();
        long done = 0;
        while (done < bytes) {
            int wanted = (int) Math.min(most, bytes - done);
            part.clear().limit(wanted);
            if (!isRead) {
                parts.pack(done, part);
            }
            int here = movedPart(from + done, part, isRead);
            if (isRead) {
                parts.unpack(part.flip(), done);
            }
            done += here;
            if (here < wanted) {
                break;
            }
        }
        return done;
    }

    private int movedPart(long from, ByteBuffer part, boolean isRead) throws IOException {
        int bytes = part.remaining();
        if (isRead) {
            return viewed.read(file, from, part);
        }
        viewed.write(file, from, part);
        return bytes;
    }

    private ByteBuffer chunk(int bytes) {
        if (chunk == null || chunk.capacity() < bytes) {
            chunk = ByteBuffer.allocateDirect(bytes);
        }
        return chunk;
    }
}
