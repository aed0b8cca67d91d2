package org.sluice.device.channel;

/**
 * Names bytes in a peer's memory so that this rank can read or write them by itself. Filled by one channel, carried in
 * RNDV_START or RNDV_REPLY, read by the peer's channel, which checks it before it believes it. Mutable and reused: two
 * per send and one per receive.
 */
public final class RemoteReference {
    /** The bytes can't be read by the peer; they are streamed as RNDV_DATA. */
    public static final long NO_REFERENCE = 0;

    /** The channel's own kind of reference. */
    public long key;

    /** Where, in the terms of the key. */
    public long address;

    /**
     * Only between ranks of one JVM: the array that {@link #address} counts from, or what keeps absolute memory alive.
     */
    public Object object;

    /**
     * Where it was filled: what {@link Reading#release} or {@link Writing#takeBack} is given when the peer reads or
     * writes no longer; null where there is nothing to give back.
     */
    public Object lease;

    public void clear() {
        key = NO_REFERENCE;
        address = 0;
        object = null;
        lease = null;
    }

    public void set(long newKey, long newAddress, Object newObject) {
        key = newKey;
        address = newAddress;
        object = newObject;
    }
}
