package org.sluice.device.channel;

/**
 * What of a {@link Channel} belongs to one peer: the calls that every small message makes, without a look for the peer
 * in each of them.
 *
 * <p><i>Thread</i>: as the channel's calls, which each of these names. <i>Proof</i>: {@code ChannelConformance}.
 */
public interface Endpoint {
    /** As {@link Channel#trySend}, of an EAGER packet. */
    int trySendEager(int contextId, int tag, Object base, long address, int bytes);

    /** As {@link Channel#signal}. */
    void signal();

    /** As {@link Channel#takeEager}. */
    long takeEager(int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize);

    /** The calls of the channel, for one that has nothing of its own for a peer. */
    static Endpoint of(Channel channel, int peer) {
        Endpoint own = channel.endpoint(peer);
        return own != null
                ? own
                : new Endpoint() {
                    @Override
                    public int trySendEager(int contextId, int tag, Object base, long address, int bytes) {
                        return channel.trySend(peer, PacketKind.EAGER, contextId, tag, base, address, bytes, null);
                    }

                    @Override
                    public void signal() {
                        channel.signal(peer);
                    }

                    @Override
                    public long takeEager(
                            int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
                        return channel.takeEager(peer, contextId, tagOrAny, base, address, bytes, elementSize);
                    }
                };
    }
}
