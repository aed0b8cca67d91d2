package org.sluice.hybrid.request;

import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.Message;
import org.sluice.device.PersistentRoute;

/**
 * The calls of a device for which no thread waits: the caller makes the completion, which is called back when it ends.
 * What suspends rests on them. Arguments are as {@link Device} has them, and are checked; the calls that begin
 * something return true where it is over already: then nobody is called back.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: NO_MEMORY where the thread that is to make progress can't be had: then nothing
 * has begun. <i>Proof</i>: {@code CoroutineCases}, {@code CoroutineCancelTest}.
 */
public interface AsyncCalls {
    /** Is told which of several receives took the message; under the progress lock, before the completion ends. */
    interface Chooser {
        void chosen(int index);
    }

    /** Looks for a message that is there, for a {@link Completion} that gets its envelope. */
    interface Search {
        /** @return true when it was there */
        boolean now();

        boolean begin();

        /**
         * What was taken out of the queue, once the completion has ended well. Allocates nothing, and throws nothing:
         * nobody else has it.
         */
        Message message();
    }

    /**
     * Sends what is short and finds room.
     *
     * @return false where nothing was sent, and it has to be begun
     */
    boolean sendNow(Object buffer, int dest, int tag, int contextId);

    <C extends Completion & Callback> boolean send(
            C call, Object buffer, int dest, int tag, int contextId, boolean synchronous);

    /**
     * Receives what is there, if no other receive comes first.
     *
     * @return false where nothing was received, and it has to be begun
     */
    boolean receiveNow(Completion call, Object buffer, int source, int tag, int contextId);

    <C extends Completion & Callback> boolean receive(C call, Object buffer, int source, int tag, int contextId);

    /**
     * Receives one message, into the buffer of the alternative that it belongs to: of what is there already, to the
     * first that fits.
     */
    <C extends Completion & Callback & Chooser> boolean receiveAny(C call, List<Alternative> alternatives);

    /** @param taking whether the message is taken out of the queue, so that nobody else can receive it */
    <C extends Completion & Callback> Search search(C call, int source, int tag, int contextId, boolean taking);

    /** Receives a message of {@link Search#message}. Where this throws it can still be received. */
    <C extends Completion & Callback> boolean receiveTaken(C call, Message message, Object buffer);

    /**
     * Waits until a message of {@link Search#message} that is being written to where it can be read in place is there;
     * over at once for any other.
     */
    <C extends Completion & Callback> boolean arrival(C call, Message message);

    /**
     * Begins a persistent route; its messages go in the ordinary way until the receiver's answer has come. Cancelled
     * before that, the route is closed.
     *
     * @param answer ends when the receiver has answered; for it alone
     */
    PersistentRoute openRoute(Completion answer, int dest, int tag, int contextId, long maxBytes, int slots);

    /**
     * Has the device make progress by itself from now on: what is begun after that can be called back.
     *
     * <p><i>Fails</i>: NO_MEMORY where its thread can't be had.
     */
    void requireThread();

    /** Counts a message that came for who is gone, and of which nobody is told. */
    void dropped();

    /**
     * Has somebody called back when a request of this device ends.
     *
     * @return false where it has ended: nobody is called back
     */
    boolean callBack(Completion completion, Callback callback);
}
