package org.sluice.ib;

import java.util.HashSet;
import java.util.Set;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.queue.Region;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The slots of persistent routes: regions that peers may write to, whatever {@code sluice.ib.rendezvous} says, and
 * writes into theirs.
 *
 * <p>A region is for one peer and has a key of its own. It is freed when that peer has said that it writes there no
 * more, or when its queue pair is gone; what nobody took back goes when all queue pairs are gone.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the regions. <i>Fails</i>: a write that fails ends its
 * connection. <i>Proof</i>: {@code RouteMemoryRxeTest}.
 */
final class RouteMemory implements RemoteSlots, AutoCloseable {
    /**
     * {@link RemoteReference#key} of slots, upper half: the lower is their remote key, the address one of the
     * receiver's process.
     */
    static final int SLOTS = 8;

    private final VerbsCalls verbs;
    private final long domain;
    private final RemoteWrites writes;
    private final Connections connections;
    private final long mostBytes;
    private final Traffic traffic;
    private final Set<Region> lent = new HashSet<>();
    private final GivingBack back = new GivingBack();

    /** @param mostBytes longest message of the port */
    RouteMemory(
            VerbsCalls verbs,
            long domain,
            RemoteWrites writes,
            Connections connections,
            long mostBytes,
            Traffic traffic) {
        this.verbs = verbs;
        this.domain = domain;
        this.writes = writes;
        this.connections = connections;
        this.mostBytes = Math.min(mostBytes, Integer.MAX_VALUE);
        this.traffic = traffic;
    }

    @Override
    public boolean lend(int peer, long bytes, RemoteReference into) {
        // One that failed is told soon. One that isn't READY may have brought the peer's packet already: this end hears
        // later that it stands.
        if (connections.of(peer).state().isDead()) {
            return false;
        }
        Region region;
        try {
            region = new Region(verbs, domain, bytes, VerbsCalls.ACCESS_LOCAL_WRITE | VerbsCalls.ACCESS_REMOTE_WRITE);
        } catch (SluiceException | OutOfMemoryError e) {
            return false;
        }
        lent.add(region);
        writes.lent(peer, 1);
        into.set((long) SLOTS << Integer.SIZE | region.rkey() & 0xFFFFFFFFL, region.address(), null);
        into.lease = region;
        return true;
    }

    @Override
    public void takeBack(int peer, Object lease) {
        Region region = (Region) lease;
        if (!lent.remove(region)) {
            throw new IllegalStateException("slots of rank " + peer + " were taken back twice");
        }
        writes.lent(peer, -1);
        back.close(region);
    }

    @Override
    public boolean isLent(RemoteReference to, long bytes) {
        return to.key >>> Integer.SIZE == SLOTS && to.address > 0 && bytes > 0 && to.address <= Long.MAX_VALUE - bytes;
    }

    @Override
    public int pieceBytes() {
        return writes.pieceBytes();
    }

    @Override
    public boolean hasRoom(int peer) {
        return writes.hasRoom(connections.of(peer));
    }

    @Override
    public boolean source(Object owner, long address, long bytes, RemoteReference into) {
        into.clear();
        return owner != null && bytes <= mostBytes && writes.describe(owner, address, bytes, into);
    }

    @Override
    public boolean write(
            int peer, RemoteReference from, long address, long bytes, RemoteReference to, long offset, Object ticket) {
        traffic.note(bytes);
        PutResult result =
                writes.write(connections, connections.of(peer), from, address, (int) bytes, to, offset, ticket);
        return result == PutResult.STARTED;
    }

    /** After the last queue pair. */
    @Override
    public void close() {
        lent.forEach(back::close);
        lent.clear();
        back.end();
    }

    @Override
    public String toString() {
        return "RouteMemory[" + lent.size() + " regions lent]";
    }
}
