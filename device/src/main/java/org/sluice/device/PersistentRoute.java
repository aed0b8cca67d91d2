package org.sluice.device;

/**
 * A way for many messages of one envelope to one rank, set up once: {@link Device#openRoute}. Where the channel to that
 * rank is verbs the receiver has set slots of memory aside, and each message is written into a free slot by RDMA, with
 * one small packet behind it. Everywhere else, and where no slot is free, a message goes as one of {@link Device#send}
 * does; the receiver sees no difference.
 *
 * <p><b>Matching.</b> The messages are like any other: they have the route's context id and tag, this rank is their
 * source, and they stay in order with all other messages of this rank, whichever way those go. The receiver receives as
 * always. What {@link Device#recvInPlace} takes it reads in the slot, which is written again only when the lease is
 * closed; whoever keeps as many messages as there are slots gets the next ones in the ordinary way.
 *
 * <p><b>Long messages.</b> Of one of more than 256 KB the envelope goes first, and its bytes in pieces, between which
 * goes what this rank sends to that rank afterwards, on the route or not. It may be matched or probed before its bytes
 * are there; then its receive, or {@link Message#recvInPlace}, waits for them.
 *
 * <p><b>Buffers.</b> As {@link Device} says. What lies in direct memory is written from there; an array is copied once,
 * into memory that is registered for the route at the first such message. The send of a short array ends with that
 * copy, every other when its bytes are there.
 *
 * <p><i>Thread</i>: any, several at once too. <i>Owns</i>: the receiver's slots, until {@link #close()} or the end of
 * either device. <i>Fails</i>: as the sending calls of {@link Device}; a message that is longer than
 * {@link #maxBytes()} is an {@link IllegalArgumentException}, and any send after close an
 * {@link IllegalStateException}.
 */
public interface PersistentRoute extends AutoCloseable {
    /** Most slots of a route. */
    int MOST_SLOTS = 64;

    /** The rank that it leads to. */
    int dest();

    int tag();

    int contextId();

    /** Longest message, in bytes. */
    long maxBytes();

    /**
     * Messages that may be on the way, or with the receiver and not received, before the next goes in the ordinary way.
     */
    int slots();

    /**
     * True where messages are written into slots; false where the channel has none, or the receiver's
     * {@code sluice.routes.bytes} is 0, and while a route that was opened inside a handler has no answer yet.
     */
    boolean isWritten();

    /** As {@link Device#send}. */
    default void send(Object buffer) {
        send(buffer, 0, Device.WHOLE);
    }

    void send(Object buffer, long offset, long count);

    /** As {@link Device#isend}. */
    default Request isend(Object buffer) {
        return isend(buffer, 0, Device.WHOLE);
    }

    Request isend(Object buffer, long offset, long count);

    /**
     * Ends the route: what was sent on it still arrives, and the receiver gives its memory back when it has received
     * it. Doesn't wait. Closing twice is harmless; a route that is never closed ends with its device.
     */
    @Override
    void close();
}
