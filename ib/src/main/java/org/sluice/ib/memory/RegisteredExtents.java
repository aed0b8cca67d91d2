package org.sluice.ib.memory;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.sluice.device.arena.Arena;
import org.sluice.device.arena.Extent;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The extents of the arena that the adapter knows, each registered as a whole when a message first needs a buffer in
 * it, and kept: so no buffer in it needs a registration of its own.
 *
 * <p><i>Thread</i>: under the lock of the {@link RegistrationCache}. <i>Owns</i>: the regions. <i>Fails</i>: an extent
 * that can't be registered isn't tried again, and its buffers are registered one by one. <i>Proof</i>:
 * {@code RegisteredPoolTest}.
 */
final class RegisteredExtents {
    /** Of all devices of this process, which come and go: memory that an adapter may still use. */
    private static final Set<Extent> KEPT = Collections.synchronizedSet(identities());

    private final VerbsCalls verbs;
    private final long domain;
    private final int access;
    private final long mostBytes;
    private final long limitBytes;
    private final Counters counters;
    private final Map<Extent, Region> regions = new IdentityHashMap<>();
    private final Set<Extent> refused = identities();
    /** Null: buffers are of no arena. */
    private Arena arena;

    private long bytes;
    private String refusal = "";

    /** An extent that the adapter knows. */
    static final class Region {
        final long handle;
        final int lkey;
        final int rkey;

        Region(long[] out) {
            handle = out[VerbsCalls.REGION_HANDLE];
            lkey = (int) out[VerbsCalls.REGION_LKEY];
            rkey = (int) out[VerbsCalls.REGION_RKEY];
        }
    }

    RegisteredExtents(VerbsCalls verbs, long domain, int access, long mostBytes, Options options, Counters counters) {
        this.verbs = verbs;
        this.domain = domain;
        this.access = access;
        this.mostBytes = mostBytes;
        this.limitBytes = options.number(Option.IB_POOL_LIMIT);
        this.counters = counters;
    }

    /** As a value it would be its memory, byte by byte. */
    private static Set<Extent> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    void of(Arena newArena) {
        arena = newArena;
    }

    /** The extent that this memory is in if it is registered, or may be; else null. */
    Extent extentOf(long address) {
        Extent extent = arena == null ? null : arena.extentOf(address);
        if (extent == null || regions.containsKey(extent)) {
            return extent;
        }
        boolean mayBe = extent.bytes() <= Math.min(mostBytes, limitBytes - bytes) && !refused.contains(extent);
        return mayBe ? extent : null;
    }

    boolean isRegistered(Extent extent) {
        return regions.containsKey(extent);
    }

    /** @return null where the adapter doesn't take it */
    Region region(Extent extent, long[] out) {
        Region region = regions.get(extent);
        return region == null ? register(extent, out) : region;
    }

    private Region register(Extent extent, long[] out) {
        counters.increment(Counter.REGISTRATIONS);
        counters.increment(Counter.NATIVE_CROSSINGS);
        int result = verbs.registerMemory(domain, extent.address(), extent.bytes(), access, out);
        if (result < 0) {
            refused.add(extent);
            refusal = ", " + Errno.describe("ibv_reg_mr of " + extent.bytes() + " bytes", result)
                    + ": buffers there are registered one by one; allow the process to lock more memory (ulimit -l)";
            return null;
        }
        Region region = new Region(out);
        regions.put(extent, region);
        bytes += extent.bytes();
        counters.increment(Counter.POOL_REGIONS);
        counters.add(Counter.POOL_BYTES, extent.bytes());
        return region;
    }

    /** After the last queue pair: the adapter lets go of all. */
    void close(GivingBack back) {
        regions.forEach((extent, region) -> {
            counters.increment(Counter.NATIVE_CROSSINGS);
            if (!back.took("ibv_dereg_mr", verbs.deregisterMemory(region.handle))) {
                KEPT.add(extent);
            }
        });
        regions.clear();
    }

    /** Whether the adapter may still use this memory, after {@link #close}. */
    boolean isKept(long address) {
        Extent extent = arena == null ? null : arena.extentOf(address);
        return extent != null && isKept(extent);
    }

    static boolean isKept(Extent extent) {
        return KEPT.contains(extent);
    }

    @Override
    public String toString() {
        return regions.size() + " extents of message buffers, " + bytes + " of " + limitBytes + " bytes" + refusal;
    }
}
