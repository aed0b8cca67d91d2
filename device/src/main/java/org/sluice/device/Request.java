package org.sluice.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The handle of a send or receive in flight. Until it completes its buffer belongs to the device: nobody may write a
 * buffer that is being sent, nor touch one that is being received into; the request keeps the memory alive.
 *
 * <p><i>Thread</i>: any, also several at once. <i>Fails</i>: the methods that return a {@link Status} throw
 * {@link SluiceException} when the request failed.
 */
public interface Request {
    /** Whether the request has completed, well or badly; makes progress, never blocks and never throws. */
    boolean isDone();

    /** The status when completed (for a send: this rank's own, with the tag and length sent), null while it isn't. */
    Status test();

    /**
     * Blocks until completed. An interrupt does not end the wait (a buffer in flight can't be taken back); it stays
     * set.
     */
    Status waitFor();

    /** As {@link #waitFor()}, into the caller's status: allocates nothing. */
    void waitFor(Status status);

    /**
     * Blocks until completed or until the time is up.
     *
     * @return null when the time was up: the request is still in flight and its buffer still belongs to the device
     */
    Status waitFor(long timeout, TimeUnit unit);

    /**
     * Withdraws a receive that no message has matched yet, or a send that no receive has matched. A receive is
     * withdrawn at once. So is a send that the peer has not heard of; else the peer is asked, and the request is over
     * when it has answered: with CANCELLED, or as if nothing had been asked. Until then the buffer is the device's, so
     * wait for it. A message that went eagerly has been sent. A peer that only probed for a message may find it gone;
     * one that took it by {@link Device#mprobe} has matched it, and so has one with handlers, for its messages. The
     * memory of a {@link Device#give} that is withdrawn is freed.
     *
     * @return true when it is withdrawn (it has completed with CANCELLED); false when it had matched or completed, and
     *     for a send whose peer was asked
     */
    boolean cancel();

    /**
     * A future that completes with the request. Cancelling it does not cancel the request, whose buffer stays the
     * device's until {@link #isDone}. Dependents that aren't async run on whichever thread finds one to be due when it
     * leaves the device: the device's own, or one of the program's, inside any call (a send, a probe, a cancel, of this
     * request or another) and inside whatever locks the program holds around it. None runs within another, several may
     * run beside each other on different threads; they may call the device, and must neither block nor take long, nor
     * take a lock that is held around calls of the device. What does belongs on an executor: {@code thenAcceptAsync}
     * and the like. The first call on a device whose progress is driven by callers starts its progress thread.
     *
     * @throws SluiceException NO_MEMORY where that thread can't be started; the request goes on without a future
     */
    CompletableFuture<Status> toFuture();

    /** How the request ended; NONE while it has not, and when it ended well. */
    ErrorCode error();
}
