package org.sluice.device;

/**
 * A message that a matched probe has taken out of the queue: no other receive can get it any more, and it must be
 * received once.
 *
 * <p><i>Thread</i>: any; whoever receives it first has it, a second receive is an {@link IllegalStateException}.
 */
public interface Message {
    /** Source, tag, context id and length. The same object at every call. */
    Status status();

    /** Receives into a buffer (kinds of buffers: see {@link Device}). */
    Status recv(Object buffer);

    Status recv(Object buffer, long offset, long count);

    Request irecv(Object buffer, long offset, long count);

    /**
     * Receives in place or, where the bytes can't be had in place, into memory of the device.
     *
     * @throws SluiceException NO_MEMORY where there is none: the message can still be received
     */
    Lease recvInPlace();
}
