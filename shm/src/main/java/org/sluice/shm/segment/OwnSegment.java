package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Extent;
import org.sluice.device.arena.ExtentSource;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.ring.LostMemory;
import org.sluice.shm.ring.MemoryFaults;

/**
 * The segment that this rank owns: made, locked for life, and without a name: from the beginning where all peers can
 * open what this process has open, else as soon as they have it open.
 *
 * <p><i>Thread</i>: {@link #extend} under the arena's lock, the rest one at a time. <i>Owns</i>: the file and its name.
 * <i>Fails</i>: too little space is NO_MEMORY with the sizes, before anything is written; on every failure the name is
 * gone. <i>Proof</i>: {@code SegmentRefusalTest}, {@code SegmentSpaceTest}.
 */
final class OwnSegment implements ExtentSource, LocalEnd {
    private static final int EXTENT_SHARE = 8;

    private final SegmentFile file;
    private final SegmentLayout layout;
    private final Extent memory;
    private final UUID nonce;
    private final Map<String, Object> attributes;
    private final Thread unlinkAtExit;
    private final long arenaStep;
    private final long arenaLimit;
    private final int rank;
    private final int jobSize;
    private long end;
    private int extents;
    /** Replaced as a whole, since whoever looks after the segment doesn't have the arena's lock. */
    private volatile Extent[] arena = {};

    private final LostMemory lost;
    private boolean linked;
    /** Descriptors of this file that other ranks of this JVM opened; under this object's lock. */
    private final List<SegmentFile> kept = new ArrayList<>();

    private volatile boolean closed;

    /** @param unlinkAtExit null where it has no name */
    private OwnSegment(
            int rank,
            int jobSize,
            SegmentLayout layout,
            SegmentFile file,
            Extent memory,
            Thread unlinkAtExit,
            Options options,
            OsCalls os)
            throws IOException {
        this.rank = rank;
        this.jobSize = jobSize;
        this.layout = layout;
        this.file = file;
        this.memory = memory;
        this.unlinkAtExit = unlinkAtExit;
        this.linked = unlinkAtExit != null;
        this.arenaStep = options.number(Option.SHM_ARENA_STEP);
        this.arenaLimit = options.number(Option.SHM_ARENA_LIMIT);
        this.nonce = Unguessable.uuid();
        this.lost = new LostMemory(os.lostCount(), new Supplier<>() {
            @Override
            public String get() {
                return check();
            }
        });
        this.end = layout.bytes();
        this.attributes = linked
                ? Files.readAttributes(file.path(), "unix:dev,ino,uid", LinkOption.NOFOLLOW_LINKS)
                : Files.readAttributes(
                        Path.of("/proc/self/fd", Integer.toString(file.descriptor())), "unix:dev,ino,uid");
        writeHeader();
    }

    /** @param unnamed whether all peers can open what this process has open */
    static OwnSegment create(
            String secret, int rank, int jobSize, SegmentLayout layout, Options options, OsCalls os, boolean unnamed) {
        Path directory = Path.of(options.text(Option.SHM_DIR));
        if (!Files.isDirectory(directory)) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    rank,
                    Option.SHM_DIR.property() + " = " + directory
                            + " is no directory; give one on a memory file system, such as /dev/shm",
                    null);
        }
        checkSpace(
                directory,
                layout.bytes(),
                "the segment of rank " + rank,
                Option.SHM_RING_BYTES.property() + ", " + Option.SHM_RING_CELLS.property() + " or "
                        + Option.SHM_DIR.property());
        Path path = SegmentName.of(options, os, secret, rank);
        try {
            return Undisturbed.call(new Callable<>() {
                @Override
                public OwnSegment call() throws IOException {
                    return create(rank, jobSize, layout, options, os, path, unnamed);
                }
            });
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    rank,
                    "the segment of rank " + rank + " could not be made in " + directory + ": " + e,
                    e);
        }
    }

    private static OwnSegment create(
            int rank, int jobSize, SegmentLayout layout, Options options, OsCalls os, Path path, boolean unnamed)
            throws IOException {
        SegmentFile file = unnamed ? SegmentFile.createUnnamed(path, rank, os) : null;
        Thread unlinkAtExit = file == null ? removing(path) : null;
        boolean done = false;
        try {
            if (file == null) {
                file = SegmentFile.create(
                        path,
                        os,
                        PosixFilePermissions.asFileAttribute(
                                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
            }
            reserve(file, 0, layout.bytes(), "the segment of rank " + rank);
            file.lockForLife();
            Extent memory = file.map(0, layout.bytes(), true);
            OwnSegment segment = new OwnSegment(rank, jobSize, layout, file, memory, unlinkAtExit, options, os);
            JvmRanks.ofThisJvm().register(segment.key(), 0, segment);
            done = true;
            return segment;
        } finally {
            if (!done) {
                giveUp(file, path, unlinkAtExit);
            }
        }
    }

    /** @param file null where the name was somebody else's */
    private static void giveUp(SegmentFile file, Path path, Thread unlinkAtExit) throws IOException {
        if (unlinkAtExit != null) {
            forget(unlinkAtExit);
        }
        if (unlinkAtExit != null && file != null) {
            remove(path);
        }
        if (file != null) {
            file.close();
        }
    }

    private static Thread removing(Path path) {
        Thread hook = new Thread("sluice-unlink") {
            @Override
            public void run() {
                remove(path);
            }
        };
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }

    private void writeHeader() {
        long at = memory.address();
        Memory.putInt(at + SegmentLayout.VERSION_AT, SegmentLayout.PROTOCOL_VERSION);
        Memory.putInt(at + SegmentLayout.CELLS_AT, layout.size().cells());
        Memory.putInt(at + SegmentLayout.PAYLOAD_AT, layout.size().payloadBytes());
        Memory.putInt(at + SegmentLayout.SLOTS_AT, layout.slots());
        Memory.putInt(at + SegmentLayout.RANK_AT, rank);
        Memory.putInt(at + SegmentLayout.JOB_SIZE_AT, jobSize);
        Memory.putLong(at + SegmentLayout.NONCE_AT, nonce.getMostSignificantBits());
        Memory.putLong(at + SegmentLayout.NONCE_AT + Long.BYTES, nonce.getLeastSignificantBits());
        // The header is whole before the magic stands there; peers learn of the file later still.
        Memory.putLongRelease(at + SegmentLayout.MAGIC_AT, SegmentLayout.MAGIC);
    }

    private static void reserve(SegmentFile file, long offset, long bytes, String what) throws IOException {
        try {
            file.reserve(offset, bytes);
        } catch (IOException e) {
            Path directory = file.path().getParent();
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    -1,
                    what + " needs " + bytes + " bytes in " + directory + ", of which now "
                            + directory.toFile().getUsableSpace() + " are free: " + e.getMessage() + hint(e),
                    e);
        }
    }

    /** What the native library says by itself, of the same error. */
    private static String hint(IOException e) {
        return String.valueOf(e.getMessage()).endsWith("File too large") ? ": raise ulimit -f" : "";
    }

    private static void checkSpace(Path directory, long needed, String what, String settings) {
        long free = directory.toFile().getUsableSpace();
        if (free < needed) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    what + " needs " + needed + " bytes in " + directory
                            + " and " + free
                            + " are free: make it larger (mount -o remount,size=..., docker run --shm-size=...),"
                            + " remove left-overs with ./sluice doctor --clean, or set " + settings);
        }
    }

    /** Makes the file longer and the new part known to the peers. */
    @Override
    public Extent extend(long bytes) {
        checkOpen(null);
        // A share of what there is keeps the number of extents below what the header's table holds.
        long wanted = Math.max(bytes, Math.max(arenaStep, (end - layout.bytes()) / EXTENT_SHARE));
        long size = SegmentLayout.alignPage(wanted);
        if (size < bytes || size > arenaLimit - (end - layout.bytes()) || extents == SegmentLayout.EXTENT_LIMIT) {
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    "message buffers of this device hold "
                            + (end - layout.bytes())
                            + " bytes and need " + size + " more; " + Option.SHM_ARENA_LIMIT.property() + " allows "
                            + arenaLimit + " bytes in at most " + SegmentLayout.EXTENT_LIMIT
                            + " extents: close message buffers or raise the limit");
        }
        checkSpace(
                file.path().getParent(),
                size,
                "the arena of message buffers",
                Option.SHM_DIR.property() + "; or close message buffers");
        try {
            return Undisturbed.call(() -> extendFile(size));
        } catch (IOException e) {
            checkOpen(e);
            throw new SluiceException(
                    ErrorCode.NO_MEMORY,
                    rank,
                    "the arena of message buffers could not grow by " + size + " bytes: " + e,
                    e);
        }
    }

    @Override
    public void giveBack(Extent extent) {
        SegmentFile.giveBack(extent);
    }

    /** A closed file refuses to grow in words that say nothing of the device. */
    private void checkOpen(IOException cause) {
        if (closed) {
            throw new SluiceException(
                    ErrorCode.DEVICE_CLOSED,
                    rank,
                    "rank " + rank + "'s device is closed: it has no more memory to give",
                    cause);
        }
    }

    private Extent extendFile(long size) throws IOException {
        Extent extent;
        try {
            reserve(file, end, size, "the arena of message buffers");
            extent = file.map(end, size, true);
        } catch (IOException | SluiceException e) {
            file.truncate(end);
            throw e;
        }
        long entry = memory.address() + SegmentLayout.EXTENTS_AT + (long) extents * SegmentLayout.EXTENT_BYTES;
        Memory.putLong(entry, end);
        Memory.putLong(entry + Long.BYTES, size);
        end += size;
        extents++;
        Extent[] longer = Arrays.copyOf(arena, extents);
        longer[extents - 1] = extent;
        arena = longer;
        // Publishes the entry; pairs with the peer's load in PeerSegment.
        Memory.putLongRelease(memory.address() + SegmentLayout.EXTENT_COUNT_AT, extents);
        return extent;
    }

    SegmentFacts facts(int[] peers, int pid, long probeAddress, long probeValue) {
        String path = unlinkAtExit != null ? file.path().toString() : SegmentFacts.pathOf(pid, file.descriptor());
        return new SegmentFacts(
                rank,
                path,
                ((Number) attributes.get("dev")).longValue(),
                ((Number) attributes.get("ino")).longValue(),
                ((Number) attributes.get("uid")).longValue(),
                nonce,
                layout,
                peers,
                pid,
                probeAddress,
                probeValue);
    }

    long ring(int slot) {
        return memory.address() + layout.ringAt(slot);
    }

    long at(int offset) {
        return memory.address() + offset;
    }

    Object keepAlive() {
        return memory.keepAlive();
    }

    SegmentLayout layout() {
        return layout;
    }

    long uid() {
        return ((Number) attributes.get("uid")).longValue();
    }

    /**
     * Throws a fault that is not of this segment, but of the memory that a packet was taken to: the packet may be taken
     * all the same.
     */
    void throwUnlessSpoiled(InternalError fault) {
        MemoryFaults.settle();
        if (check() == null) {
            throw fault;
        }
    }

    /** Whether pages of this segment are gone that somebody has just copied from or to. */
    LostMemory lost() {
        return lost;
    }

    /** What is wrong with this segment, or null. Any thread. */
    String check() {
        String wrong = HeaderCheck.find(memory, layout, rank, nonce);
        for (Extent extent : arena) {
            wrong = wrong == null ? HeaderCheck.touch(extent, rank) : wrong;
        }
        return wrong;
    }

    /** Takes the name away: whoever has the file open keeps it. */
    synchronized void unlink() {
        if (linked) {
            linked = false;
            remove(file.path());
            forget(unlinkAtExit);
        }
    }

    static void remove(Path path) {
        try {
            Files.delete(path);
        } catch (NoSuchFileException e) {
            // Somebody cleaned up before.
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED,
                    -1,
                    "the segment " + path + " could not be removed: " + e
                            + "; remove it by hand or with ./sluice doctor --clean",
                    e);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down: the hook runs and finds nothing to do.
        }
    }

    /** Under what other ranks of this JVM find this segment. */
    static String key(Object device, Object inode) {
        return "segment " + device + ":" + inode;
    }

    private String key() {
        return key(attributes.get("dev"), attributes.get("ino"));
    }

    /**
     * Takes over a descriptor that another rank of this JVM opened, until this segment closes: the first close of any
     * descriptor would end this process's lock, and the other processes would take this rank for dead.
     *
     * @return false when this segment is closed already
     */
    synchronized boolean keep(SegmentFile opened) {
        if (!closed) {
            kept.add(opened);
        }
        return !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /**
     * Whatever can't be given back, the rest is: a descriptor that stays open would keep this rank alive for its peers.
     */
    void close() {
        GivingBack back = new GivingBack();
        try {
            unlink();
        } catch (RuntimeException e) {
            back.failed(e);
        }
        synchronized (this) {
            closed = true;
            kept.add(file);
        }
        JvmRanks.ofThisJvm().unregister(key());
        for (SegmentFile each : kept) {
            try {
                close(each);
            } catch (RuntimeException e) {
                back.failed(e);
            }
        }
        SegmentFile.giveBack(memory);
        back.end();
    }

    private void close(SegmentFile each) {
        try {
            each.close();
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED, rank, "closing the segment of rank " + rank + " failed: " + e, e);
        }
    }
}
