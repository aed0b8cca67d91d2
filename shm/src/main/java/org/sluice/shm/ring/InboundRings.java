package org.sluice.shm.ring;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.Fences;

/**
 * All rings of one receiver, and which of them it looks at: all of them while the peers are few, else those that rang
 * the doorbell not long ago.
 *
 * <p><i>Thread</i>: all calls under the progress lock, {@link #add} excepted, which may come from a sender of this JVM.
 * <i>Fails</i>: nonsense in a ring is reported to its {@link RingFailures}; memory that is gone is an InternalError,
 * for the owner of the memory to explain. <i>Proof</i>: {@code InboundRingsTest}, {@code DoorbellStress}.
 */
public final class InboundRings {
    /** With more peers than this, looking at each of them at every poll costs more than the doorbell. */
    public static final int WATCH_ALL_LIMIT = 8;

    private static final int UNWATCH_AFTER_EMPTY_POLLS = 2048;

    private final AtomicReferenceArray<RingReader> rings;
    private final Doorbell doorbell;
    private final Fences fences;
    private final RingFailures failures;
    private final int unwatchAfterEmptyPolls;
    private final Object lock = new Object();
    /** Copy on write: the rings that each poll looks at. */
    private volatile RingReader[] watched = new RingReader[0];

    private int first;

    /** @param doorbell null when the peers are at most {@link #WATCH_ALL_LIMIT} */
    /** @param fences those of whoever sends here */
    public InboundRings(int slots, Doorbell doorbell, RingFailures failures, Fences fences) {
        this(slots, doorbell, failures, fences, UNWATCH_AFTER_EMPTY_POLLS);
    }

    InboundRings(int slots, Doorbell doorbell, RingFailures failures, Fences fences, int unwatchAfterEmptyPolls) {
        this.fences = fences;
        this.unwatchAfterEmptyPolls = unwatchAfterEmptyPolls;
        this.rings = new AtomicReferenceArray<>(slots);
        this.doorbell = doorbell;
        this.failures = failures;
    }

    /** Takes a ring in, before its writer sends the first packet; without a doorbell it is watched from now on. */
    public void add(int slot, RingReader ring) {
        synchronized (lock) {
            if (doorbell == null) {
                ring.watch(true);
                append(ring);
            }
            rings.set(slot, ring);
        }
    }

    public RingReader ring(int slot) {
        return rings.get(slot);
    }

    /** As {@link org.sluice.device.channel.Channel#poll}. */
    public int poll(ChannelListener listener, int limit) {
        RingReader[] now = watched;
        if (now.length == 1 && doorbell == null) {
            int taken = now[0].poll(listener, limit);
            Reference.reachabilityFence(this);
            return taken;
        }
        int taken = doorbell == null ? 0 : pollDoorbell(listener, limit);
        int at = first;
        for (int i = 0; i < now.length && taken < limit; i++) {
            at = at < now.length ? at : 0;
            taken += pollOne(now[at++], listener, limit - taken);
        }
        if (taken >= limit) {
            // The next call begins where this one had to stop, so that a flood in one ring doesn't starve the others.
            first = at;
        }
        // The rings hold the memory that was polled, and nothing else may hold the rings by now.
        Reference.reachabilityFence(this);
        return taken;
    }

    /**
     * As {@link org.sluice.device.channel.EagerTaking#takeEager}; a ring that isn't watched may have the message all
     * the same.
     */
    public long takeEager(
            int slot, int contextId, int tagOrAny, Object base, long address, long room, int elementSize) {
        RingReader ring = rings.get(slot);
        return ring == null ? Endpoint.NOTHING : ring.takeEager(contextId, tagOrAny, base, address, room, elementSize);
    }

    private int pollOne(RingReader ring, ChannelListener listener, int limit) {
        int taken = ring.poll(listener, limit);
        if (doorbell != null) {
            if (taken != 0) {
                ring.forgetEmptyPolls();
            } else if (ring.countEmptyPoll() >= unwatchAfterEmptyPolls) {
                return lookAway(ring, listener, limit);
            }
        }
        return taken;
    }

    /**
     * The flag goes down first and the ring is polled once more: a sender that read the flag before has published
     * before.
     */
    private int lookAway(RingReader ring, ChannelListener listener, int limit) {
        ring.watch(false);
        fences.beforeLook();
        int taken = ring.poll(listener, limit);
        if (taken != 0) {
            ring.watch(true);
        } else {
            remove(ring);
        }
        return taken;
    }

    private int pollDoorbell(ChannelListener listener, int limit) {
        int taken = 0;
        for (int word = 0; word < doorbell.words(); word++) {
            for (long bits = doorbell.collect(word); bits != 0; bits &= bits - 1) {
                int slot = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                RingReader ring = slot < rings.length() ? rings.get(slot) : null;
                if (ring != null && !ring.isWatched() && !ring.isClosed()) {
                    watch(ring);
                    // Past the limit it waits for the next call: it is watched now, so it isn't forgotten.
                    if (taken < limit) {
                        taken += pollOne(ring, listener, limit - taken);
                    }
                }
            }
        }
        return taken;
    }

    private void watch(RingReader ring) {
        ring.watch(true);
        synchronized (lock) {
            append(ring);
        }
    }

    private void append(RingReader ring) {
        RingReader[] more = Arrays.copyOf(watched, watched.length + 1);
        more[watched.length] = ring;
        watched = more;
    }

    private void remove(RingReader ring) {
        synchronized (lock) {
            RingReader[] fewer = new RingReader[watched.length];
            int left = 0;
            for (RingReader each : watched) {
                if (each != ring) {
                    fewer[left++] = each;
                }
            }
            watched = Arrays.copyOf(fewer, left);
        }
    }

    /** Drops a ring for good. */
    public void close(int slot) {
        RingReader ring = rings.get(slot);
        if (ring != null) {
            ring.close();
            remove(ring);
        }
    }

    /** Hands up all that is left in one ring, for a peer that died or closed: what it sent before counts. */
    public void drain(int slot, ChannelListener listener) {
        RingReader ring = rings.get(slot);
        if (ring != null) {
            int taken;
            do {
                taken = ring.isClosed() ? 0 : pollOne(ring, listener, Integer.MAX_VALUE);
            } while (taken != 0);
        }
    }

    /**
     * A few times a second: checks what only this end writes, and looks at the rings that aren't watched, in case
     * nonsense took a doorbell's bit.
     */
    public void sweep(ChannelListener listener) {
        for (int slot = 0; slot < rings.length(); slot++) {
            RingReader ring = rings.get(slot);
            if (ring == null || ring.isClosed()) {
                continue;
            }
            String wrong = ring.checkControl();
            if (wrong != null) {
                ring.close();
                remove(ring);
                failures.onRingCorrupt(ring.peer(), wrong, listener);
            } else if (!ring.isWatched() && ring.hasPacket()) {
                watch(ring);
            }
        }
    }
}
