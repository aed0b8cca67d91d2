package org.sluice.device.channel;

/** What became of a {@link Writing#put}. */
public enum PutResult {
    /** The bytes are on their way, and their source is the channel's until {@link ChannelListener#onPutDone}. */
    STARTED,

    /** There is no room now; ask again after some progress. */
    NO_RESOURCE,

    /** The reference is invalid; the peer that named it has failed. */
    FAILED
}
