package org.sluice.device.channel;

/** The calls of a channel that has nothing of its own for a peer. */
final class PlainEndpoint implements Endpoint {
    private final Channel channel;
    private final int peer;
    /** Null where every packet is for {@link Channel#poll}. */
    private final EagerTaking taking;

    PlainEndpoint(Channel channel, int peer) {
        this.channel = channel;
        this.peer = peer;
        this.taking = channel.taking();
    }

    @Override
    public int trySendEager(int contextId, int tag, Object base, long address, int bytes) {
        return channel.trySend(peer, PacketKind.EAGER, contextId, tag, base, address, bytes, null);
    }

    @Override
    public void signal() {
        channel.signal(peer);
    }

    @Override
    public long takeEager(int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
        return taking == null
                ? FOR_POLL
                : taking.takeEager(peer, contextId, tagOrAny, base, address, bytes, elementSize);
    }
}
