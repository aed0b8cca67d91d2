package org.sluice.device.channel;

/**
 * Body of RNDV_START, 32 bytes, host byte order: a channel joins machines of one byte order only.
 *
 * <pre>
 *   0  send id        8   the sender's name for the message; comes back in REPLY and END
 *   8  length         8   bytes of the message
 *  16  reference key  8   how the receiver can read the bytes by itself, NO_REFERENCE when they must be streamed
 *  24  reference addr 8   where, in the terms of the key
 * </pre>
 */
public final class RendezvousStart {
    public static final int SEND_ID = 0;
    public static final int LENGTH = 8;
    public static final int REFERENCE_KEY = 16;
    public static final int REFERENCE_ADDRESS = 24;
    public static final int BYTES = 32;

    private RendezvousStart() {}
}
