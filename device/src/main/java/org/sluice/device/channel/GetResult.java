package org.sluice.device.channel;

/** What became of a {@link Reading#get}. */
public enum GetResult {
    /** The bytes are there. */
    DONE,

    /** The bytes are on their way, and the destination is the channel's until {@link ChannelListener#onGetDone}. */
    STARTED,

    /** There is no room now; ask again after some progress. */
    NO_RESOURCE,

    /** The reference is invalid or the peer's memory can't be read; the peer has failed. */
    FAILED,

    /**
     * The channel can't read into this destination, or can't reach this memory of a peer that lives; the peer has to
     * stream the bytes, and finds out what became of them where it is so.
     */
    BY_STREAM,

    /** The bytes can only be written by the peer, to memory that {@link Writing#offer} names. */
    BY_PUT,

    /**
     * Pages of the destination are gone, which is the program's own memory; the peer and its memory are as they were.
     * Never of a channel that answers {@link #STARTED}.
     */
    TARGET_LOST
}
