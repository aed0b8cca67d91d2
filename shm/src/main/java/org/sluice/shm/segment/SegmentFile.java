package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.sluice.device.arena.Extent;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.NativePath;
import org.sluice.jni.os.OsCalls;

/**
 * One open segment file: mapping, reserving, and the lock that shows that its owner lives.
 *
 * <p><i>Thread</i>: one at a time, but {@link #close} at any time; what an interrupt could disturb is called inside
 * {@link Undisturbed}. <i>Fails</i>: an IOException once it is closed. <i>Owns</i>: two descriptors, a FileChannel for
 * locks and, where the native library is there, one to reserve and map with. Neither is closed before {@link #close}:
 * the first close in a process gives up all its locks on the file. Mappings are given back by {@link #giveBack}, those
 * of the JDK by the collector.
 */
final class SegmentFile {
    private static final int NO_DESCRIPTOR = -1;
    private static final int ZEROS = 1 << 20;
    static final int OWNER_ONLY = 0600;

    private final Path path;
    /** What it is called in messages. */
    private final String what;

    private final OsCalls os;
    private final FileChannel channel;
    /** Under this object's lock: once it is closed, the program's next file has the number. */
    private int descriptor;
    /** Held here because the JVM's table of locks holds it weakly, and forgets with it that this JVM has the lock. */
    private FileLock life;

    private SegmentFile(Path path, OsCalls os, FileChannel channel, int fd) {
        this(path, path.toString(), os, channel, fd);
    }

    private SegmentFile(Path path, String what, OsCalls os, FileChannel channel, int fd) {
        this.path = path;
        this.what = what;
        this.os = os;
        this.channel = channel;
        this.descriptor = fd < 0 ? NO_DESCRIPTOR : fd;
    }

    /**
     * A file that never has a name, so that nothing is left of it however its processes end; null where the system has
     * none.
     *
     * @param path what it would be called
     */
    static SegmentFile createUnnamed(Path path, int rank, OsCalls os) throws IOException {
        String what = "the segment of rank " + rank + " (without a name) in " + path.getParent();
        int fd = os.openUnnamed(NativePath.of(path.getParent()), OWNER_ONLY);
        if (meansThereAreNone(fd)) {
            return null;
        }
        if (fd < 0) {
            throw new IOException(what + ": " + Errno.describe("open", fd));
        }
        try {
            return ofDescriptor(path, what, os, fd);
        } catch (NoSuchFileException e) {
            // Nobody finds its number, as this process's main thread has ended: it is closed again.
            return null;
        }
    }

    /**
     * Whether {@link OsCalls#openUnnamed} says that it knows no files without names: no native library, a file system
     * without them, or a kernel that takes the flag for another. Whatever else is wrong there, is wrong for a file with
     * a name too.
     */
    static boolean meansThereAreNone(int result) {
        return switch (-result) {
            case Errno.EOPNOTSUPP, Errno.EISDIR, Errno.EINVAL, Errno.ENOENT, Errno.ENOSYS -> true;
            default -> false;
        };
    }

    /** What another process has open. */
    static SegmentFile openOf(int pid, int descriptor, OsCalls os) throws IOException {
        Path path = Path.of("/proc", Integer.toString(pid), "fd", Integer.toString(descriptor));
        int fd = os.openOf(pid, descriptor);
        if (fd >= 0) {
            return ofDescriptor(path, path.toString(), os, fd);
        }
        switch (-fd) {
            case Errno.ENOSYS:
                break;
            case Errno.ENOENT, Errno.ESRCH:
                throw new NoSuchFileException(path.toString(), null, Errno.describe("open", fd));
            case Errno.EACCES, Errno.EPERM:
                throw new AccessDeniedException(path.toString(), null, Errno.describe("open", fd));
            default:
                throw new IOException(Errno.describe("open", fd));
        }
        return new SegmentFile(
                path, os, FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), NO_DESCRIPTOR);
    }

    private static SegmentFile ofDescriptor(Path path, String what, OsCalls os, int fd) throws IOException {
        try {
            Path self = Path.of("/proc/self/fd", Integer.toString(fd));
            return new SegmentFile(
                    path, what, os, FileChannel.open(self, StandardOpenOption.READ, StandardOpenOption.WRITE), fd);
        } catch (Throwable e) {
            os.close(fd);
            throw e;
        }
    }

    static SegmentFile create(Path path, OsCalls os, FileAttribute<?> permissions) throws IOException {
        Set<OpenOption> options = Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        return new SegmentFile(
                path, os, FileChannel.open(path, options, permissions), os.openExisting(NativePath.of(path)));
    }

    static SegmentFile open(Path path, OsCalls os) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return new SegmentFile(path, os, FileChannel.open(path, options), os.openExisting(NativePath.of(path)));
    }

    /**
     * One of the {@code STAT_} fields of what was opened, or {@code unknown} where the native library isn't there to
     * tell.
     */
    synchronized long stat(int field, long unknown) {
        long[] stat = new long[OsCalls.STAT_FIELDS];
        return descriptor == NO_DESCRIPTOR || os.fstat(descriptor, stat) < 0 ? unknown : stat[field];
    }

    /**
     * Reserves and clears; an IOException when there is no room. The file then ends at {@code offset + bytes} at least.
     */
    synchronized void reserve(long offset, long bytes) throws IOException {
        int result = descriptor == NO_DESCRIPTOR ? -Errno.ENOSYS : os.posixFallocate(descriptor, offset, bytes);
        if (result == -Errno.ENOSYS || result == -Errno.EOPNOTSUPP) {
            writeZeros(offset, bytes);
        } else if (result < 0) {
            throw new IOException(bytes + " bytes in " + what + ": " + Errno.describe("posix_fallocate", result));
        }
    }

    private void writeZeros(long offset, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZEROS));
        long done = 0;
        while (done < bytes) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - done));
            done += channel.write(zeros, offset + done);
        }
    }

    /** After a reservation that failed half-way. */
    void truncate(long bytes) throws IOException {
        channel.truncate(bytes);
    }

    long size() throws IOException {
        return channel.size();
    }

    /**
     * Maps a part that exists; {@code writable} also for writing. Natively where that can be: the first mapping by the
     * JDK 25 generates code for 20 ms (docs/project/adr/0008-fast-open.md), and where a file is cut short, a native
     * mapping knows it, while in one of the JDK errors come up anywhere ({@link org.sluice.shm.ring.MemoryFaults}).
     */
    Extent map(long offset, long bytes, boolean writable) throws IOException {
        long address = mapNatively(offset, bytes, writable);
        if (address > 0) {
            return new Extent(offset, bytes, address, new NativeMapping(os, address, bytes));
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new IOException(bytes + " bytes of " + what + ": " + Errno.describe("mmap", address)
                    + "; parts above 2 GB need the native library");
        }
        MappedByteBuffer buffer =
                channel.map(writable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, offset, bytes);
        return new Extent(offset, bytes, Memory.address(buffer), buffer);
    }

    /**
     * After this nobody finds there what was mapped. One of the JDK's stays until it is collected: nothing keeps its
     * addresses if it is undone.
     */
    static void giveBack(Extent mapped) {
        if (mapped.keepAlive() instanceof NativeMapping mapping) {
            mapping.giveBack();
        }
    }

    private synchronized long mapNatively(long offset, long bytes, boolean writable) {
        if (descriptor == NO_DESCRIPTOR) {
            return -Errno.ENOSYS;
        }
        return writable ? os.mmapShared(descriptor, offset, bytes) : os.mmapReadOnly(descriptor, offset, bytes);
    }

    /** The owner's: held until the process ends or the file is closed. */
    void lockForLife() throws IOException {
        life = channel.tryLock(0, 1, false);
        if (life == null) {
            throw new IOException(what + " is locked by somebody else although this process just made it");
        }
    }

    /** A peer's look: true when the owner's process has ended. Doesn't wait, so no interrupt disturbs it. */
    boolean isOwnerGone() throws IOException {
        try (FileLock lock = channel.tryLock(0, 1, true)) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            // The owner, or another rank that looks at this moment, is in this JVM.
            return false;
        }
    }

    Path path() {
        return path;
    }

    /** Under which number this process has it open; below 0 where only the JVM knows. */
    synchronized int descriptor() {
        return descriptor;
    }

    synchronized void close() throws IOException {
        int open = descriptor;
        descriptor = NO_DESCRIPTOR;
        try {
            channel.close();
        } finally {
            if (open != NO_DESCRIPTOR) {
                os.close(open);
            }
        }
    }
}
