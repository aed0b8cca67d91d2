package org.sluice.hybrid.route;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.memory.Memory;

/**
 * A channel with room for as many packets as a test allows; notes what goes out. One peer, one sending thread at a
 * time.
 */
final class NarrowChannel implements Channel, Lending, Coalescing, Reading {
    /** One packet that went out. */
    record Packet(int kind, int contextId, int tag, byte[] body) {
        /** The body of a control packet. */
        long word(int index) {
            return Memory.getLong(body, Memory.arrayOffset(body) + 8L * index);
        }

        @Override
        public String toString() {
            return PacketKind.name(kind) + " " + tag + " of " + body.length;
        }
    }

    final List<Packet> sent = new ArrayList<>();
    int room;
    /** Thrown instead of taking a packet; null: nothing. */
    Throwable refusal;
    /** Whether it reads memory where it is, how often it did, and how many leases it has back. */
    boolean lends;

    int lent;
    int released;
    int signals;
    /** Thrown instead of a signal; null: nothing. */
    Error broken;
    /** How often several packets were announced, and whether they still come. */
    int gatherings;

    boolean isGathering;
    boolean isFlushed = true;

    List<String> takeSent() {
        List<String> texts = sent.stream().map(Packet::toString).toList();
        sent.clear();
        return texts;
    }

    @Override
    public String name() {
        return "narrow";
    }

    @Override
    public int eagerLimitBytes() {
        return 1000;
    }

    @Override
    public int protocolSwitchLimitBytes() {
        return 1000;
    }

    @Override
    public int chunkBytes() {
        return 100;
    }

    @Override
    public int trySend(
            int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference) {
        if (refusal instanceof InternalError) {
            throw (InternalError) refusal;
        }
        if (refusal != null) {
            throw (RuntimeException) refusal;
        }
        if (room == 0) {
            return NO_RESOURCE;
        }
        room--;
        byte[] body = new byte[bytes];
        Memory.copy(base, address, body, Memory.arrayOffset(body), bytes);
        sent.add(new Packet(kind, contextId, tag, body));
        return SENT;
    }

    @Override
    public Lending lending() {
        return this;
    }

    @Override
    public int lendFromBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int lendAndWaitFromBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int lend(
            int peer,
            int contextId,
            int tag,
            Object owner,
            long address,
            int bytes,
            RemoteReference into,
            Object ticket) {
        lent += lends ? 1 : 0;
        return lends ? LENT : BY_COPY;
    }

    @Override
    public Reading reading() {
        return this;
    }

    @Override
    public void release(Object lease) {
        released++;
    }

    @Override
    public Coalescing coalescing() {
        return this;
    }

    @Override
    public void gather(int peer) {
        gatherings++;
        isGathering = true;
    }

    @Override
    public boolean flush(int peer) {
        isGathering = false;
        return isFlushed;
    }

    @Override
    public void signal(int peer) {
        signals++;
        if (broken != null) {
            throw broken;
        }
    }

    @Override
    public boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        into.clear();
        return false;
    }

    @Override
    public int getBytes(RemoteReference from) {
        return chunkBytes();
    }

    @Override
    public GetResult get(
            int peer,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes,
            Object ticket) {
        throw new UnsupportedOperationException("a route reads nothing");
    }

    @Override
    public int poll(ChannelListener listener, int limit) {
        throw new UnsupportedOperationException("a route polls nothing");
    }

    @Override
    public void arm() {
        // Nobody sleeps.
    }

    @Override
    public void checkPeers(ChannelListener listener) {
        // The peer lives.
    }

    @Override
    public void disconnect(int peer) {
        // Nothing to end.
    }

    @Override
    public void close() {
        // Nothing to give back.
    }
}
