package org.sluice.device;

import java.util.concurrent.Executor;

/**
 * Messages that call a handler where they arrive, instead of waiting for a receive: {@link Device#handlers}
 * (docs/reference/handlers.md; the LRTS layer of Charm++, Sun et al., IPDPS 2012).
 *
 * <p><b>Order.</b> A message's handler begins when those of all messages that the same rank sent here before have
 * ended, whatever their ids and threads. Handlers of different ranks' messages may run at once, where they have
 * executors. A message whose id nobody has registered waits, and those behind it from the same rank too.
 *
 * <p><b>Threads.</b> A handler without an executor runs on a thread that makes progress, outside all locks, one at a
 * time: with {@code sluice.progress.threads} on those threads alone; else inside a call of the program: {@link #serve},
 * {@link Device#progress}, one that waits, or any other that takes part in progress. It should be short. It may send,
 * and call the device otherwise too; where it waits, only what needs no handler of this rank goes on. It waits by the
 * device's own calls alone: while it waits for a future, a latch or a coroutine nobody makes progress. What has to
 * belongs on an executor.
 *
 * <p><b>Memory.</b> What has arrived and was not handled is bounded as unexpected messages are
 * ({@code sluice.eager.share.bytes} for each sender); a sender that is beyond waits in {@link #syncSend} until its
 * message is taken.
 *
 * <p>No receive and no probe, with wildcards or without, ever sees these messages, nor do handlers see others.
 * <i>Thread</i>: any. <i>Fails</i>: as the sending calls of {@link Device}; {@link HandlerException}.
 */
public interface Handlers {
    /** The highest id of a handler; the lowest is 0. */
    int HIGHEST_ID = 65_535;

    /**
     * Has {@code handler} called for each message to this id, those that came before included, on a thread that makes
     * progress.
     */
    default void register(int id, Handler handler) {
        register(id, handler, null);
    }

    /**
     * Has {@code handler} called on an executor, or where that is null on a thread that makes progress.
     *
     * @param id 0 to {@link #HIGHEST_ID}
     * @param executor gets one task at a time for each rank that sends: a queue of as many never refuses one
     * @throws IllegalStateException where the id is registered already
     */
    void register(int id, Handler handler, Executor executor);

    /**
     * Messages to this id wait from now on; one whose handler is about to run is still handled. Without effect where it
     * isn't registered.
     */
    void deregister(int id);

    /**
     * Sends a message to a handler, and returns when the buffer may be written again: at once where there is room at
     * the receiver, else when it has taken the message. Inside a handler it never waits: what finds no room is copied,
     * and goes later, if its peer lives as long.
     *
     * @param handler an id that {@code dest} registers, now or later; 0 to {@link #HIGHEST_ID}
     * @param message a buffer as {@link Device} describes them
     */
    default void syncSend(int dest, int handler, Object message) {
        syncSend(dest, handler, message, 0, Device.WHOLE);
    }

    void syncSend(int dest, int handler, Object message, long offset, long count);

    /** As {@link #isend(int, int, Object, long, long)}, of all of a buffer. */
    default Request isend(int dest, int handler, Object message) {
        return isend(dest, handler, message, 0, Device.WHOLE);
    }

    /**
     * As {@link #syncSend}, without a wait or a copy: the buffer is the device's until the request ends, as one of
     * {@link Device#isend}. A handler that sends so leaves the wait to others, as it holds up all that come after it.
     */
    Request isend(int dest, int handler, Object message, long offset, long count);

    /**
     * As {@link Device#give}: the handler reads the buffer's memory itself where it can be reached, and it is freed
     * when the handler has ended.
     */
    Request give(int dest, int handler, MessageBuffer message, long bytes);

    /**
     * Sends a message on that came here, or back to where it came from: as {@link #isend}, of a handler's message, of
     * what {@link Lease#keep} made of one, or of any other lease of this device. It is the program's no more, and ends
     * when its bytes have gone. They are not copied for that: those in memory of this device are given, others are sent
     * from where they lie, so that whoever sent them from there has its memory back when this has ended.
     *
     * @return as {@link #isend}; one that fails has consumed the message all the same
     * @throws IllegalArgumentException where the message is no lease of this device
     * @throws IllegalStateException where it was closed, or a request still uses it; nothing has happened then
     */
    Request forward(int dest, int handler, Lease message);

    /** As {@link #broadcast(int, Object, long, long)}, of all of a buffer. */
    default void broadcast(int handler, Object message) {
        broadcast(handler, message, 0, Device.WHOLE);
    }

    /**
     * Sends a message to the same handler of all other ranks: as {@link #syncSend} to each, but it waits for all at
     * once, so that a rank that is behind holds up no other. Each has it straight from this rank, which is its source,
     * and in order with what else this rank sends there. A message buffer's bytes are read by all who can reach them;
     * inside a handler there is one copy for all who have no room.
     *
     * @throws SluiceException the first failure, as PEER_DEAD, once all others have been sent to
     */
    void broadcast(int handler, Object message, long offset, long count);

    /**
     * As {@link #broadcast(int, Object, long, long)}, to these ranks alone: in this order, this rank too if it is among
     * them, and as often as each is.
     *
     * @throws IllegalArgumentException for what is no rank, before anything is sent
     */
    void broadcast(int[] dests, int handler, Object message, long offset, long count);

    /** As {@link Device#openRoute}, for messages to a handler, which reads them in the route's slots. */
    PersistentRoute openRoute(int dest, int handler, long maxBytes, int slots);

    /** As {@link Device#allocate}: memory that is sent from, and given, without a copy. */
    MessageBuffer allocate(long bytes);

    /**
     * Makes progress on this thread, which so runs handlers, until {@link #stop}. It waits as a receive does: spinning,
     * yielding, parked.
     *
     * @throws IllegalStateException inside a handler
     * @throws SluiceException DEVICE_CLOSED or DEVICE_FAILED
     */
    void serve();

    /** Ends all {@link #serve}; where there is none, the next returns at once. Any thread, handlers included. */
    void stop();
}
