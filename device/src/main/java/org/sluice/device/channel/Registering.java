package org.sluice.device.channel;

/**
 * A channel that moves memory for less once it was told of it. <i>Thread</i>: any. <i>Proof</i>:
 * {@code RegisteringRxeTest}.
 */
public interface Registering {
    /**
     * Makes memory ready for {@link Reading} and {@link Lending}, whatever limits the channel has, until
     * {@link #deregister}.
     *
     * @return false when that can't be had
     */
    boolean register(Object owner);

    /** Lets go of memory, once no request uses it. */
    void deregister(Object owner);
}
