package org.sluice.device.layer;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.option.Options;

/**
 * A device as a layer above it sees it: message spaces that no call of {@link Device} can name, and requests that are
 * used again and again. Buffers, envelopes, ownership, threads and errors are as {@link Device} has them, except that
 * contexts are the layer's own, from 0 to {@link #HIGHEST_CONTEXT}.
 */
public interface Layer {
    /** The highest number of a context; the lowest is 0. */
    int HIGHEST_CONTEXT = (1 << 30) - 1;

    /** @throws IllegalArgumentException for one that {@link Device#open} didn't make */
    static Layer of(Device device) {
        if (device instanceof Layered) {
            return ((Layered) device).layer();
        }
        throw new IllegalArgumentException(
                device + " is no device of Device.open, and communicators stand upon such a one alone");
    }

    Device device();

    /** What the device was opened with. */
    Options options();

    /** What the layer keeps with the device: made by the first call, the same for all later ones. */
    <T> T kept(Class<T> type, Function<Layer, T> make);

    void send(Object buffer, long offset, long count, int dest, int tag, int context);

    void ssend(Object buffer, long offset, long count, int dest, int tag, int context);

    Request isend(Object buffer, long offset, long count, int dest, int tag, int context);

    Request issend(Object buffer, long offset, long count, int dest, int tag, int context);

    void recv(Object buffer, long offset, long count, int source, int tag, int context, Status status);

    /** @param ranks by rank of the device, what the request's status is to say of a source; null for that itself */
    Request irecv(Object buffer, long offset, long count, int source, int tag, int context, int[] ranks);

    Status probe(int source, int tag, int context);

    /** As {@link #probe(int, int, int)}, but waits no longer than so: null when the time was up. */
    Status probe(int source, int tag, int context, long timeoutNanos);

    /** Null when there is none. */
    Status iprobe(int source, int tag, int context);

    /** @param ranks as {@link #irecv} takes them */
    Message mprobe(int source, int tag, int context, int[] ranks);

    /** Null when there is none. */
    Message improbe(int source, int tag, int context, int[] ranks);

    /**
     * A request that completes when a message is there, as a probe finds it.
     *
     * @param ranks as {@link #irecv} takes them
     */
    Request arrival(int source, int tag, int context, int[] ranks);

    /**
     * A request that completes when it has taken a message out of the queue, as {@link #mprobe} does. Of several that
     * wait the first that was begun has the first message; receives that wait come before.
     *
     * @param ranks as {@link #irecv} takes them
     */
    LayerTaking take(int source, int tag, int context, int[] ranks);

    /**
     * Tells of the end of a {@link #take}, once, as a {@link LayerListener} is told; what it does throws nothing.
     *
     * @return false if it has ended: nobody is told
     */
    boolean listen(LayerTaking taking, Runnable ended);

    /**
     * As {@link Device#waitAny}, but waits no longer than so.
     *
     * @return -1 also when the time was up
     */
    int waitAny(long timeoutNanos, Request... requests);

    /** A request that {@link #begin}s, which no peek shows. */
    LayerRequest request();

    /** As {@link #request()}; the listener is told of each end of one that had not ended when it was begun. */
    LayerRequest request(LayerListener listener);

    /**
     * Begins a send.
     *
     * @return true where it has ended already: then no listener is told
     */
    boolean isend(LayerRequest request, Object buffer, long offset, long count, int dest, int tag, int context);

    /** As {@link #isend(LayerRequest, Object, long, long, int, int, int)}, for a receive. */
    boolean irecv(LayerRequest request, Object buffer, long offset, long count, int source, int tag, int context);

    /** As {@link #irecv(LayerRequest, Object, long, long, int, int, int)}, of one that a probe of this layer took. */
    boolean irecv(LayerRequest request, Message message, Object buffer, long offset, long count);

    /** A request of the program's. */
    LayerPromise promise();

    /**
     * As {@link #promise()}, for one that can be cancelled.
     *
     * @param context what its status is to say
     * @param cancelling what its cancel does, and answers; if it answers true the layer fails it soon, with CANCELLED
     */
    LayerPromise promise(int context, BooleanSupplier cancelling);

    /**
     * Whether a thread that waits may keep its core for a moment: not if the ranks of this node are more than its
     * cores, or an option says so.
     */
    boolean spins();

    /** Gives this thread's core to whoever else can use it, without a round of progress. */
    void yieldCore();

    /** Of {@link #waitsInMemory}: it wants to hear no more of this wait. */
    long ENOUGH = 0;

    /**
     * This thread has waited so long for what a peer is to write to memory that both share: it is told of as a receive
     * that has waited so long.
     *
     * @return after how many nanoseconds more this is to be called again, or {@link #ENOUGH}
     */
    long waitsInMemory(int peer, long nanos);

    /** Once: who is told of peers from now on, and of what they said before. */
    void watch(LayerWatcher watcher);

    /** Why nothing comes from a peer any more, or null. */
    SluiceException lost(int peer);

    /** Tells a peer's layer, as soon as there is room; never waits. One that is gone gets nothing. */
    void notice(int peer, LayerNotice notice);

    /**
     * From now on nothing is received in some contexts, nor sent where the receiver would have to take part. What waits
     * there ends: a receive or probe at once, a send when its peer has answered that no receive has matched it.
     *
     * @param context the first of them
     * @param count how many there are
     * @param code why, with the two that follow
     */
    void end(int context, int count, ErrorCode code, int peer, String message);

    /** That of another rank of this JVM whose messages go from thread to thread, or null. */
    Layer neighbour(int rank);

    /** Whether a rank is a thread of this JVM, whatever channel reaches it; this one is. */
    boolean sharesJvm(int rank);

    /** Whether a rank is on this node: shares memory, or would if its channel were on; all ranks of this JVM are. */
    boolean sharesNode(int rank);

    /**
     * Whether no receive or probe waits in this context, and no message that nobody has received. Makes no progress.
     */
    boolean isIdle(int context);

    /**
     * Tells how a rank of this node can read memory of {@link Device#allocate} where it lies.
     *
     * @param into gets two numbers, for {@link #addressOf} there
     * @return false where it can't
     */
    boolean describe(MessageBuffer memory, int peer, long[] into);

    /**
     * Where memory that a peer has described is in this process, as an absolute address: it may be read until this
     * device is closed, and says nothing any more once the peer has closed the buffer.
     *
     * @return 0 where it can't be read
     */
    long addressOf(int peer, long[] described, long bytes);
}
