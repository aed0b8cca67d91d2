package org.sluice.device.channel;

/**
 * What of a {@link Channel} belongs to one peer: the calls that every small message makes, without a look for the peer
 * in each of them.
 *
 * <p><i>Thread</i>: as the channel's calls, which each of these names. <i>Proof</i>: {@code ChannelConformance}.
 */
public interface Endpoint {
    /** {@link #takeEager}: nothing has come from this peer. */
    long NOTHING = -4;

    /** {@link #takeEager}: the peer's next packet is for {@link Channel#poll}. */
    long FOR_POLL = -5;

    /** As {@link Channel#trySend}, of an EAGER packet. */
    int trySendEager(int contextId, int tag, Object base, long address, int bytes);

    /** As {@link Channel#signal}. */
    void signal();

    /**
     * Takes the peer's next packet past the listener, for a receiver that knows where it belongs: an EAGER packet of
     * this envelope that fits and is a whole number of elements goes straight to its place. Under the progress lock, as
     * {@link Channel#poll}.
     *
     * @param tagOrAny a tag, or {@link org.sluice.device.Device#ANY_TAG}
     * @param base an array that {@code address} counts from, or null for absolute memory
     * @param bytes room at that place
     * @param elementSize of the receive, in bytes; a power of two
     * @return {@link #takenTag tag} and {@link #takenBytes length} of what was taken, {@link #NOTHING}, or
     *     {@link #FOR_POLL}, which always may be
     */
    long takeEager(int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize);

    /** What {@link #takeEager} returns for a message with this tag and length. */
    static long taken(int tag, int bytes) {
        return (long) tag << Integer.SIZE | bytes;
    }

    static int takenTag(long taken) {
        return (int) (taken >>> Integer.SIZE);
    }

    static int takenBytes(long taken) {
        return (int) taken;
    }
}
