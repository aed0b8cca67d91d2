package org.sluice.shm.segment;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Extent;
import org.sluice.device.channel.GetResult;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.memory.Memory;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.ring.GuardedCopy;
import org.sluice.shm.ring.MemoryFaults;

/**
 * A peer's segment, as this rank has it open.
 *
 * <p><i>Thread</i>: under the progress lock, except that addresses may be used by senders. <i>Owns</i>: its descriptors
 * and mappings. <i>Fails</i>: opening what isn't the segment of the facts is OPEN_FAILED with what was found and what
 * was expected; a reference that isn't inside an extent of the arena has no address, nor has one that can't be mapped
 * here. <i>Proof</i>: {@code SegmentRefusalTest}, {@code SegmentCorruptionTest}.
 */
final class PeerSegment {
    private static final int PERMISSIONS = 0777;
    private static final int FILE_TYPE = 0170000;
    private static final int REGULAR_FILE = 0100000;

    /**
     * From this size on it costs little to ask after each copy whether the pages were there; below, {@link #check}
     * notices.
     */
    private static final int SETTLE_BYTES = 64 << 10;

    private static final int SHORT_PIECE_BYTES = 16 << 10;

    private final SegmentFacts facts;
    private final SegmentFile file;
    private final Extent memory;
    /** When it is in this JVM: it then owns the descriptors, and its life is known without the lock. Else null. */
    private final OwnSegment ownerHere;

    private final List<Extent> arena = new ArrayList<>();
    private int unsettledBytes;

    private PeerSegment(SegmentFacts facts, SegmentFile file, Extent memory, OwnSegment ownerHere) {
        this.ownerHere = ownerHere;
        this.facts = facts;
        this.file = file;
        this.memory = memory;
    }

    static PeerSegment open(int peer, SegmentFacts facts, long ownUid, OsCalls os) {
        try {
            return Undisturbed.call(new Callable<>() {
                @Override
                public PeerSegment call() throws IOException {
                    return verifyAndOpen(peer, facts, ownUid, os);
                }
            });
        } catch (IOException | UnsupportedOperationException e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    peer,
                    "the segment of rank " + peer + ", " + facts.path() + ", can't be opened: " + e
                            + advice(peer, facts, e),
                    e);
        }
    }

    private static String advice(int peer, SegmentFacts facts, Exception why) {
        if (facts.descriptor() < 0) {
            return "; all ranks of a node need the same sluice.shm.dir and see the same files there";
        }
        if (why instanceof NoSuchFileException) {
            return "; rank " + peer
                    + " has ended, or closed its device, while this one opened (or /proc hides it: hidepid)";
        }
        return why instanceof AccessDeniedException
                ? "; it has no name, so this process must be let into that one's files: "
                        + "start all ranks of a node alike (user, groups, capabilities, security label)"
                : "";
    }

    private static PeerSegment verifyAndOpen(int peer, SegmentFacts facts, long ownUid, OsCalls os) throws IOException {
        Path path = Path.of(facts.path());
        int descriptor = facts.descriptor();
        // What leads to a file without a name is a link, of the kernel's making.
        LinkOption[] links = descriptor < 0 ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        Map<String, Object> found = Files.readAttributes(path, "unix:dev,ino,uid,mode,size", links);
        expect(peer, facts, "rank", facts.rank(), peer);
        expect(peer, facts, "file type", (int) found.get("mode") & FILE_TYPE, REGULAR_FILE);
        expect(peer, facts, "permissions", (int) found.get("mode") & PERMISSIONS, SegmentFile.OWNER_ONLY);
        expect(peer, facts, "owner", ((Number) found.get("uid")).longValue(), ownUid);
        expect(peer, facts, "owner in its facts", facts.uid(), ownUid);
        expect(peer, facts, "device", ((Number) found.get("dev")).longValue(), facts.device());
        expect(peer, facts, "inode", ((Number) found.get("ino")).longValue(), facts.inode());
        String key = OwnSegment.key(found.get("dev"), found.get("ino"));
        OwnSegment inThisJvm = (OwnSegment) JvmRanks.ofThisJvm().find(key, 0);
        SegmentFile file =
                descriptor < 0 ? SegmentFile.open(path, os) : SegmentFile.openOf(facts.pid(), descriptor, os);
        OwnSegment ownerHere = inThisJvm != null && inThisJvm.keep(file) ? inThisJvm : null;
        boolean done = ownerHere != null;
        try {
            expect(peer, facts, "device once open", file.stat(OsCalls.STAT_DEVICE, facts.device()), facts.device());
            expect(peer, facts, "inode once open", file.stat(OsCalls.STAT_INODE, facts.inode()), facts.inode());
            if (file.size() < facts.layout().bytes()) {
                throw refused(
                        peer,
                        facts,
                        "size " + file.size() + " instead of at least "
                                + facts.layout().bytes());
            }
            Extent memory = file.map(0, facts.layout().bytes(), true);
            String wrong = HeaderCheck.find(memory, facts.layout(), peer, facts.nonce());
            if (wrong != null) {
                SegmentFile.giveBack(memory);
                throw refused(peer, facts, wrong);
            }
            done = true;
            return new PeerSegment(facts, file, memory, ownerHere);
        } finally {
            if (!done) {
                file.close();
            }
        }
    }

    private static void expect(int peer, SegmentFacts facts, String what, long found, long expected) {
        if (found != expected) {
            boolean octal = what.equals("permissions") || what.equals("file type");
            throw refused(
                    peer,
                    facts,
                    what + " " + (octal ? "0" + Long.toOctalString(found) : Long.toString(found)) + " instead of "
                            + (octal ? "0" + Long.toOctalString(expected) : Long.toString(expected)));
        }
    }

    private static SluiceException refused(int peer, SegmentFacts facts, String wrong) {
        return new SluiceException(
                ErrorCode.OPEN_FAILED,
                peer,
                "the segment of rank " + peer + ", " + facts.path() + ", is refused: " + wrong,
                null);
    }

    long ring(int slot) {
        return memory.address() + facts.layout().ringAt(slot);
    }

    long at(int offset) {
        return memory.address() + offset;
    }

    SegmentFacts facts() {
        return facts;
    }

    Object keepAlive() {
        return memory.keepAlive();
    }

    /** What is wrong with this segment, or null. */
    String check() {
        String wrong = checkRings();
        for (int i = 0; i < arena.size() && wrong == null; i++) {
            wrong = HeaderCheck.touch(arena.get(i), facts.rank());
        }
        return wrong;
    }

    /** True when the process of the owner has ended, or closed the segment. */
    boolean isOwnerGone() {
        if (ownerHere != null) {
            return ownerHere.isClosed();
        }
        try {
            return file.isOwnerGone();
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED,
                    facts.rank(),
                    "whether rank " + facts.rank() + " lives can't be found out: the lock on its segment failed: " + e,
                    e);
        }
    }

    /**
     * Where in this process bytes of the peer's arena are; 0 when they aren't within one of its extents, or it can't be
     * mapped.
     */
    long arenaAddress(long offset, long bytes) {
        Extent extent = extent(offset, bytes);
        return extent == null ? 0 : extent.address() + (offset - extent.offset());
    }

    private Extent extent(long offset, long bytes) {
        for (int i = 0; i < arena.size(); i++) {
            if (arena.get(i).covers(offset, bytes)) {
                return arena.get(i);
            }
        }
        return mapExtent(offset, bytes);
    }

    /**
     * Copies out of the arena.
     *
     * @param guarded the pages at the destination may go
     * @return {@link GetResult#DONE}; {@link GetResult#TARGET_LOST}; {@link GetResult#FAILED} when the bytes aren't in
     *     the arena, or the segment was cut short; {@link GetResult#BY_STREAM} when this process can't map them
     */
    GetResult copyFromArena(long offset, boolean guarded, Object base, long address, int bytes) {
        Extent extent = extent(offset, bytes);
        if (extent == null) {
            return claimed(offset, bytes) == null ? GetResult.FAILED : GetResult.BY_STREAM;
        }
        long from = extent.address() + (offset - extent.offset());
        if (guarded) {
            GetResult result = GuardedCopy.copy(null, from, base, address, bytes);
            return HeaderCheck.isLost(extent) ? GetResult.FAILED : result;
        }
        try {
            Memory.copy(null, from, base, address, bytes);
            if (extent.keepAlive() instanceof NativeMapping) {
                return HeaderCheck.isLost(extent) ? GetResult.FAILED : GetResult.DONE;
            }
            // Pieces are shorter than what such a look is worth each; the shortest are the last of their message.
            unsettledBytes += bytes;
            if (bytes >= SHORT_PIECE_BYTES && unsettledBytes < SETTLE_BYTES) {
                return GetResult.DONE;
            }
            unsettledBytes = 0;
            return HeaderCheck.isLost(extent) ? GetResult.FAILED : GetResult.DONE;
        } catch (InternalError e) {
            MemoryFaults.settle();
            return GuardedCopy.afterFault(base, address, bytes);
        }
    }

    /** What is wrong with the part of this segment that this rank writes to, or null. Any thread. */
    String checkRings() {
        return HeaderCheck.find(memory, facts.layout(), facts.rank(), facts.nonce());
    }

    /** Null also where the bytes are in the arena and this process can't map them. */
    private Extent mapExtent(long offset, long bytes) {
        Extent claimed = claimed(offset, bytes);
        if (claimed == null) {
            return null;
        }
        try {
            Extent mapped = Undisturbed.call(() -> file.map(claimed.offset(), claimed.bytes(), false));
            arena.add(mapped);
            return mapped;
        } catch (IOException e) {
            return null;
        }
    }

    /** The extent of the table with these bytes, not mapped; null when there is none. */
    private Extent claimed(long offset, long bytes) {
        // Pairs with the owner's release store: the entries below the count are whole.
        long count = Memory.getLongVolatile(at(SegmentLayout.EXTENT_COUNT_AT));
        if (count < 0 || count > SegmentLayout.EXTENT_LIMIT || arena.size() >= SegmentLayout.EXTENT_LIMIT) {
            return null;
        }
        for (int i = 0; i < count; i++) {
            long entry = at(SegmentLayout.EXTENTS_AT) + (long) i * SegmentLayout.EXTENT_BYTES;
            Extent claimed = new Extent(Memory.getLong(entry), Memory.getLong(entry + Long.BYTES), 0, null);
            if (claimed.covers(offset, bytes)) {
                return exists(claimed) ? claimed : null;
            }
        }
        return null;
    }

    /** An entry of the table is believed only where the file really reaches. */
    private boolean exists(Extent claimed) {
        if (claimed.offset() < facts.layout().bytes() || (claimed.offset() & SegmentLayout.PAGE - 1) != 0) {
            return false;
        }
        try {
            Extent whole = new Extent(0, Undisturbed.call(file::size), 0, null);
            return whole.covers(claimed.offset(), claimed.bytes());
        } catch (IOException e) {
            return false;
        }
    }

    /** What a lease or a view still reads here are zeros from now on. */
    void close() {
        SegmentFile.giveBack(memory);
        for (Extent mapped : arena) {
            SegmentFile.giveBack(mapped);
        }
        if (ownerHere != null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.DEVICE_FAILED,
                    facts.rank(),
                    "closing the segment of rank " + facts.rank() + " failed: " + e,
                    e);
        }
    }
}
