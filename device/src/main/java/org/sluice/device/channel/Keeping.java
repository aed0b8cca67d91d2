package org.sluice.device.channel;

/**
 * A channel that can leave the body of a packet where it came.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code UncopiedCases}.
 */
public interface Keeping {
    /**
     * Within {@link ChannelListener#onPacket}: the packet's body stays where it is, unchanged, until {@link #giveBack},
     * also when its sender is gone by then, and when the channel is closed.
     *
     * @param address of the body, as it was handed up
     * @return false where it can't: then the body has to be copied
     */
    boolean keep(long address);

    /**
     * The program reads a body that was kept, perhaps for longer than it may: its memory is never freed while it can do
     * that.
     */
    void show(long address);

    /** Nobody needs a body any more that was kept; after {@link Channel#close} too. */
    void giveBack(long address);
}
