package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.sluice.device.memory.Memory;
import org.sluice.jni.Errno;
import org.sluice.jni.os.NativePath;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.arena.Extent;

/**
 * One open segment file: mapping, reserving, and the lock that shows that its owner lives.
 *
 * <p><i>Thread</i>: one at a time, but {@link #close} at any time; what an interrupt could disturb is called inside
 * {@link Undisturbed}. <i>Fails</i>: an IOException once it is closed. <i>Owns</i>: two descriptors, a FileChannel for locks and, where the native
 * library is there, one to reserve and map with. Neither is closed before {@link #close}: the first close in a process
 * gives up all its locks on the file. Mappings are the collector's to undo.
 */
final class SegmentFile {
    private static final int NO_DESCRIPTOR = -1;
    private static final int ZEROS = 1 << 20;

    private final Path path;
    private final OsCalls os;
    private final FileChannel channel;
    /** Under this object's lock: once it is closed, the program's next file has the number. */
    private int descriptor;
    /** Held here because the JVM's table of locks holds it weakly, and forgets with it that this JVM has the lock. */
    private FileLock life;

    private SegmentFile(Path path, OsCalls os, FileChannel channel) {
        this.path = path;
        this.os = os;
        this.channel = channel;
        int fd = os.openExisting(NativePath.of(path));
        this.descriptor = fd < 0 ? NO_DESCRIPTOR : fd;
    }

    static SegmentFile create(Path path, OsCalls os, FileAttribute<?> permissions) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        return new SegmentFile(path, os, FileChannel.open(path, options, permissions));
    }

    static SegmentFile open(Path path, OsCalls os) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return new SegmentFile(path, os, FileChannel.open(path, options));
    }

    /** Inode of what was opened, or -1 where the native library isn't there to tell. */
    synchronized long inode() {
        long[] stat = new long[OsCalls.STAT_FIELDS];
        return descriptor == NO_DESCRIPTOR || os.fstat(descriptor, stat) < 0 ? -1 : stat[OsCalls.STAT_INODE];
    }

    /**
     * Reserves and clears; an IOException when there is no room. The file then ends at {@code offset + bytes} at least.
     */
    synchronized void reserve(long offset, long bytes) throws IOException {
        int result = descriptor == NO_DESCRIPTOR ? -Errno.ENOSYS : os.posixFallocate(descriptor, offset, bytes);
        if (result == -Errno.ENOSYS || result == -Errno.EOPNOTSUPP) {
            writeZeros(offset, bytes);
        } else if (result < 0) {
            throw new IOException(bytes + " bytes in " + path + ": " + Errno.describe("posix_fallocate", result));
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
     * JDK 25 generates code for 20 ms (docs/adr/0008-fast-open.md), and where a file is cut short, a native mapping
     * knows it, while in one of the JDK errors come up anywhere ({@link org.sluice.shm.ring.MemoryFaults}).
     */
    Extent map(long offset, long bytes, boolean writable) throws IOException {
        long address = mapNatively(offset, bytes, writable);
        if (address > 0) {
            return new Extent(offset, bytes, address, new NativeMapping(os, address, bytes));
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new IOException(bytes + " bytes of " + path + ": " + Errno.describe("mmap", address)
                    + "; parts above 2 GB need the native library");
        }
        MappedByteBuffer buffer = channel.map(writable ? FileChannel.MapMode.READ_WRITE
                : FileChannel.MapMode.READ_ONLY, offset, bytes);
        return new Extent(offset, bytes, Memory.address(buffer), buffer);
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
            throw new IOException(path + " is locked by somebody else although this process just made it");
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
