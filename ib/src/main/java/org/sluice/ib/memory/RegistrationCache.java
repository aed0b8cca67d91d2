package org.sluice.ib.memory;

import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sluice.device.arena.Arena;
import org.sluice.device.arena.Extent;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Registers memory of the program with the adapter and keeps that for the next message from or to it, up to a limit in
 * bytes and in regions; what was used longest ago goes first. Found by the identity of the memory's owner, never by an
 * address alone: memory that was freed and given out again has another owner, so no registration of the old one serves
 * it.
 *
 * <p>A registration pins its pages. One whose owner was collected, or whose memory was freed behind this class's back,
 * therefore harms nobody until it is ended: no request can name it any more. Memory that anybody may free at any time
 * is registered for as long as it is used. Message buffers lie in extents that are registered once for all of them
 * ({@link RegisteredExtents}); one that doesn't is registered until it is freed, of which {@link #freed} is told first.
 *
 * <p><i>Thread</i>: any; a hit is one look-up under a lock, with no native call and nothing allocated. <i>Owns</i>: the
 * registrations. <i>Lends</i>: them, between {@link #acquire} and {@link #release}; whoever has one keeps the owner.
 * <i>Fails</i>: what can't be registered is null, and the message goes another way. <i>Proof</i>:
 * {@code RegistrationCacheTest}.
 */
public final class RegistrationCache implements AutoCloseable {
    /** An owner that would take more than this part of the limit is registered by pieces. */
    private static final int PARTS = 4;

    private static final long PAGE = 4096;

    private final VerbsCalls verbs;
    private final long domain;
    private final int access;
    private final long mostBytes;
    private final long limitBytes;
    private final int limitRegions;
    private final RegistrationTable table = new RegistrationTable();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    /** Message buffers by where they begin: who frees one knows no more of it. */
    private final Map<Long, Registration> closable = new HashMap<>();
    /** Found by nobody any more, and still used. */
    private final Set<Registration> leaving = new HashSet<>();

    private final GivingBack back = new GivingBack();
    private final RegisteredExtents extents;
    private final KeptMemory kept = new KeptMemory();
    private final RepeatedUse uses = new RepeatedUse();
    private final Counters counters = new Counters();
    private final long[] out = new long[VerbsCalls.REGION_FIELDS];
    /** Before the oldest and behind the newest. */
    private final Registration ends = new Registration(null, null, 0, 0, 0, 0, 0, false, false);

    /** Where message buffers are given back to; null: they are of no arena. */
    private Arena arena;

    private long bytes;
    /** Registered one by one. */
    private int single;

    private boolean closed;

    /**
     * @param peersMay what peers may do to the memory, as bits of {@link VerbsCalls}
     * @param mostBytes longest piece that the device registers
     * @param mostRegions so many it registers, of which this takes half at most: queues, rings and routes need theirs,
     *     and other processes too
     */
    public RegistrationCache(
            VerbsCalls verbs, long domain, int peersMay, long mostBytes, long mostRegions, Options options) {
        this.verbs = verbs;
        this.domain = domain;
        this.access = VerbsCalls.ACCESS_LOCAL_WRITE | peersMay;
        this.mostBytes = mostBytes;
        this.limitBytes = options.number(Option.IB_CACHE_BYTES);
        this.limitRegions = (int) Math.min(options.count(Option.IB_CACHE_REGIONS), Math.max(1, mostRegions / 2));
        ends.older = ends;
        ends.newer = ends;
        extents = new RegisteredExtents(verbs, domain, access, mostBytes, options, counters);
    }

    /** Where message buffers lie, before there is one. */
    public synchronized void pool(Arena newArena) {
        arena = newArena;
        extents.of(newArena);
    }

    /** What was counted here. */
    public Counters counters() {
        return counters;
    }

    /**
     * A registration that covers this memory, to be given to {@link #release}.
     *
     * @param owner of the memory, as {@link MemoryOwner#of} says
     * @return null when there is none to be had
     */
    public synchronized Registration acquire(Object owner, long address, long length) {
        if (closed || length <= 0) {
            return null;
        }
        Registration found = table.find(owner, address, length);
        return found == null ? acquireNew(owner, address, length) : acquire(found, owner);
    }

    /**
     * As {@link #acquire}, for a message that can as well be copied.
     *
     * @return null, too, for memory that isn't registered and that has not been asked for often enough to be worth it
     */
    public synchronized Registration acquireUsual(Object owner, long address, long length) {
        if (closed || length <= 0) {
            return null;
        }
        Registration found = table.find(owner, address, length);
        if (found != null) {
            return acquire(found, owner);
        }
        Extent extent = MemoryOwner.life(owner) == MemoryOwner.Life.CLOSED ? extents.extentOf(address) : null;
        boolean isUsual = extent == null ? uses.isUsual(owner) : extents.isRegistered(extent) || uses.isUsual(extent);
        return isUsual ? acquireNew(owner, address, length) : null;
    }

    private Registration acquire(Registration found, Object owner) {
        if (found.isPooled) {
            counters.increment(Counter.POOL_HITS);
        } else {
            unlink(found);
            link(found);
        }
        found.use(owner);
        return found;
    }

    private Registration acquireNew(Object owner, long address, long length) {
        endCollected();
        Registration made = register(owner, address, length);
        if (made != null) {
            made.use(owner);
        }
        return made;
    }

    public synchronized void release(Registration registration) {
        if (closed || !registration.unuse()) {
            return;
        }
        if (registration.isPooled && !registration.isOut) {
            return;
        }
        if (registration.isOut) {
            deregister(registration);
        } else if (registration.isPassing && !registration.isPinned) {
            end(registration);
        } else {
            shrink(0);
        }
    }

    /**
     * Keeps all of an owner's memory registered until {@link #forget}.
     *
     * @return false when it can't be registered
     */
    public synchronized boolean keep(Object owner) {
        long address = MemoryOwner.address(owner);
        long length = MemoryOwner.bytes(owner);
        if (closed || length == 0) {
            return false;
        }
        Registration found = table.find(owner, address, length);
        if (found == null) {
            MemoryOwner.Life life = MemoryOwner.life(owner);
            found = life == MemoryOwner.Life.CLOSED ? pooled(owner, address, length) : null;
            found = found == null ? registerRange(owner, address, length, life) : found;
        }
        if (found != null) {
            found.isPinned = true;
        }
        return found != null;
    }

    /** Ends what {@link #keep} began, once nobody uses it. */
    public synchronized void forget(Object owner) {
        Registration found;
        while (!closed && (found = table.first(owner)) != null) {
            found.isPinned = false;
            if (found.isPooled) {
                return; // Its extent stays, so nothing is gained.
            }
            end(found);
        }
    }

    /**
     * A message buffer is about to be freed.
     *
     * @return false where the adapter doesn't let go of it: then it must not be, and is by this class if that changes
     */
    public synchronized boolean freed(long address) {
        if (closed) {
            return !kept.isKept(address) && !extents.isKept(address);
        }
        Registration registration = closable.get(address);
        if (registration != null) {
            end(registration);
        }
        // Before the memory goes, whatever became of those who had it.
        boolean isUsed = false;
        if (!leaving.isEmpty()) {
            for (Registration each : leaving.toArray(new Registration[0])) {
                if (each.address == address && each.isPooled) {
                    each.isFreed = true;
                    isUsed = true;
                } else if (each.address == address) {
                    deregister(each);
                }
            }
        }
        return !isUsed && !kept.isKept(address);
    }

    /** Whether the adapter uses none of this extent any more, after {@link #close}. */
    boolean isLetGo(Extent extent) {
        return !RegisteredExtents.isKept(extent);
    }

    /** Ends the registrations whose owners were collected; a few times a second. */
    public synchronized void endCollected() {
        for (Registration each; !closed && (each = (Registration) collected.poll()) != null; ) {
            if (!each.isOut) {
                end(each);
            }
        }
    }

    /** How many there are, without those of memory in registered extents. */
    public synchronized int size() {
        return single;
    }

    /** All of the owner's memory where that is not too much, so that its other messages find it too. */
    private Registration register(Object owner, long address, long length) {
        long start = MemoryOwner.address(owner);
        long whole = MemoryOwner.bytes(owner);
        MemoryOwner.Life life = MemoryOwner.life(owner);
        if (address < start || length > whole || address - start > whole - length) {
            return null;
        }
        Registration pooled = life == MemoryOwner.Life.CLOSED ? pooled(owner, start, whole) : null;
        if (pooled != null) {
            return pooled;
        }
        if (life == MemoryOwner.Life.CLOSED || whole <= Math.min(limitBytes / PARTS, mostBytes)) {
            return registerRange(owner, start, whole, life);
        }
        long from = Math.max(start, address & -PAGE);
        long to = Math.min(start + whole, address + length + PAGE - 1 & -PAGE);
        return registerRange(owner, from, to - from, life);
    }

    /** Of a message buffer that lies in an extent which the adapter knows, or takes; else null. */
    private Registration pooled(Object owner, long address, long length) {
        Extent extent = extents.extentOf(address);
        if (extent != null && extents.isRegistered(extent)) {
            counters.increment(Counter.POOL_HITS);
        }
        RegisteredExtents.Region region = extent == null ? null : extents.region(extent, out);
        if (region == null) {
            return null;
        }
        Registration made = new Registration(
                owner, collected, address, length, region.handle, region.lkey, region.rkey, false, true);
        table.add(made);
        closable.put(address, made);
        return made;
    }

    private Registration registerRange(Object owner, long address, long length, MemoryOwner.Life life) {
        if (length > mostBytes) {
            return null;
        }
        shrink(length);
        int result;
        while ((result = tryRegister(address, length)) == -Errno.ENOMEM && endOldest()) {
            // There may be as little memory left to lock as the kernel allows; what nobody uses goes first.
            continue;
        }
        if (result < 0) {
            return null;
        }
        Registration made = new Registration(
                owner,
                collected,
                address,
                length,
                out[VerbsCalls.REGION_HANDLE],
                (int) out[VerbsCalls.REGION_LKEY],
                (int) out[VerbsCalls.REGION_RKEY],
                life == MemoryOwner.Life.UNKNOWN,
                false);
        table.add(made);
        link(made);
        bytes += length;
        single++;
        if (life == MemoryOwner.Life.CLOSED) {
            closable.put(address, made);
        }
        return made;
    }

    private int tryRegister(long address, long length) {
        counters.increment(Counter.REGISTRATIONS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        return verbs.registerMemory(domain, address, length, access, out);
    }

    /** Makes room for so many bytes in one more region; what is in use stays, and goes when its use ends. */
    private void shrink(long more) {
        while ((bytes + more > limitBytes || single + (more > 0 ? 1 : 0) > limitRegions) && endOldest()) {
            continue;
        }
    }

    private boolean endOldest() {
        for (Registration each = ends.newer; each != ends; each = each.newer) {
            if (each.uses == 0 && !each.isPinned) {
                end(each);
                return true;
            }
        }
        return false;
    }

    /** Nobody finds it any more; the adapter lets go of it, at once or with its last use. */
    private void end(Registration registration) {
        table.remove(registration);
        unlink(registration);
        closable.remove(registration.address, registration);
        if (!registration.isPooled) {
            bytes -= registration.bytes;
            single--;
        }
        registration.isOut = true;
        leaving.add(registration);
        if (registration.uses == 0) {
            deregister(registration);
        }
    }

    private void deregister(Registration registration) {
        leaving.remove(registration);
        if (registration.isGone) {
            return;
        }
        registration.isGone = true;
        if (registration.isPooled) {
            registration.clear();
            if (registration.isFreed) {
                arena.free(registration.address);
            }
            return;
        }
        Object owner = registration.get();
        registration.clear();
        counters.increment(Counter.NATIVE_CROSSINGS);
        if (!back.took("ibv_dereg_mr", verbs.deregisterMemory(registration.handle))) {
            kept.keep(registration, owner);
        }
    }

    private void link(Registration registration) {
        registration.older = ends.older;
        registration.newer = ends;
        ends.older.newer = registration;
        ends.older = registration;
    }

    private void unlink(Registration registration) {
        if (registration.newer != null) {
            registration.older.newer = registration.newer;
            registration.newer.older = registration.older;
            registration.older = null;
            registration.newer = null;
        }
    }

    /** After the last queue pair: nobody uses any. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        for (Registration each = ends.newer; each != ends; each = ends.newer) {
            end(each);
        }
        extents.close(back);
        for (Registration each : leaving.toArray(new Registration[0])) {
            if (!each.isPooled || !extents.isKept(each.address)) {
                deregister(each);
            }
        }
        closed = true;
        back.end();
    }

    @Override
    public synchronized String toString() {
        return "RegistrationCache[" + single + " regions, " + bytes + " of " + limitBytes + " bytes; " + extents + "]";
    }
}
