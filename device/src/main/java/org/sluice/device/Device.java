package org.sluice.device;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One rank's way to send to and receive from the others of its job, with MPI's point-to-point meaning.
 *
 * <p><b>Buffers.</b> Every {@code Object buffer} is one of
 *
 * <ul>
 *   <li>an array of a primitive type; offset and count are in elements;
 *   <li>a heap or direct {@link java.nio.ByteBuffer}: what is between position and limit; offset and count are in bytes
 *       from the position; position and limit are never moved;
 *   <li>a {@link java.nio.DoubleBuffer}, {@code FloatBuffer}, {@code LongBuffer}, {@code IntBuffer},
 *       {@code ShortBuffer} or {@code CharBuffer} in the machine's byte order: as a ByteBuffer, with offset and count
 *       in elements;
 *   <li>a {@link MessageBuffer}; offset and count in bytes;
 *   <li>a Chronicle {@code Bytes}: sends what is readable, receives into what is writable within its real capacity and
 *       moves the write position behind it; offset and count in bytes. Its store is reserved while the request is in
 *       flight;
 *   <li>null, which is an empty message.
 * </ul>
 *
 * Anything else is an {@link IllegalArgumentException}. Several rows, as a {@code double[][]}, are sent row by row, or
 * kept in one flat array.
 *
 * <p><b>Byte order.</b> Bytes go as they lie in memory, and nobody turns them round. Numbers of arrays and of message
 * buffers lie there in the machine's order, {@link java.nio.ByteOrder#nativeOrder()}. A new {@link java.nio.ByteBuffer}
 * puts and gets them in BIG_ENDIAN, whatever the machine is: what goes from one to an array, or from an array to one,
 * needs {@code buffer.order(ByteOrder.nativeOrder())} first. From one ByteBuffer to another any order will do that both
 * have.
 *
 * <p><b>Ownership.</b> From the call until the request completes the buffer belongs to the device: one that is sent may
 * be read but not written, one that is received into may not be touched. Blocking calls return with the buffer given
 * back, whatever happens.
 *
 * <p><b>Matching.</b> A receive takes a message whose context id, source and tag equal its own, where
 * {@link #ANY_SOURCE} and {@link #ANY_TAG} equal everything. Messages of one sender in one context are matched in the
 * order in which they were sent, by receives in the order in which they were posted (MPI 4.1, section 3.5). A receive
 * that is too small takes the message, keeps what fits and fails with TRUNCATED.
 *
 * <p><b>Threads.</b> All methods may be called from any number of threads at once. Blocking calls park in Java, never
 * in native code.
 *
 * <p><b>Errors.</b> A caller's mistake is thrown at once and nothing is sent. What goes wrong on the way is a
 * {@link SluiceException} from the call, or from the request's wait.
 */
public interface Device extends AutoCloseable {
    /** As the source of a receive or probe: whoever sends first. */
    int ANY_SOURCE = -2;

    /** As the tag of a receive or probe: any tag. */
    int ANY_TAG = -3;

    /** The context of the calls that name none. */
    int DEFAULT_CONTEXT = 0;

    /**
     * Opens this rank's device: the job is found in the environment (docs/reference/options.md), and without one this
     * is rank 0 of 1. Returns when every rank of the job has opened. On a thread that {@code ./sluice run --jvms}
     * started as a rank, or whose classes such a rank's loader loaded, it is that rank's device.
     *
     * @throws SluiceException OPEN_FAILED, naming the rank that did not come, or what differs between the ranks
     * @throws IllegalStateException on a thread that belongs to no rank of a JVM that holds several: use
     *     {@link #open(int)}
     */
    static Device open() {
        return DeviceProvider.find().open(DeviceProvider.RANK_OF_CALLER, Map.of());
    }

    /**
     * As {@link #open()} with options that take precedence over system properties and environment; unknown names are an
     * error.
     */
    static Device open(Map<String, String> options) {
        return DeviceProvider.find().open(DeviceProvider.RANK_OF_CALLER, options);
    }

    /** Opens the device of one of the ranks that live in this JVM. */
    static Device open(int rank) {
        return open(rank, Map.of());
    }

    /** As {@link #open(int)}, with options as in {@link #open(Map)}. */
    static Device open(int rank, Map<String, String> options) {
        if (rank < 0) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is none: ranks count from 0; Device.open() finds the rank of its caller");
        }
        return DeviceProvider.find().open(rank, options);
    }

    ProcessId id();

    int rank();

    /** Ranks in the job. */
    int size();

    /** The ids of all ranks, by rank, this one's included. */
    List<ProcessId> peers();

    /** How a rank is reached: "self", "threads", "shm", "ib". */
    String channelTo(int rank);

    /**
     * Sends and returns when the buffer may be written again; that says nothing about whether it was received.
     *
     * <p>A short message is taken at once, whether anybody receives it or not. A longer one waits until a receive has
     * matched it: from 4,097 bytes on to this rank itself and to ranks of the same JVM, from 32,769 on through shared
     * memory, from 8,193 on over verbs, unless options ({@code sluice.eager.limit.bytes}, {@code sluice.ib.body.bytes})
     * say otherwise; a short one, too, where much is unreceived already ({@code sluice.eager.share.bytes}). So a rank
     * that sends to itself posts its receive first, and two ranks that send long messages to each other use
     * {@link #isend}. A call that waits for long says so in a line on standard error ({@code sluice.stuck.report.ms}).
     *
     * @param dest a rank, 0 to size - 1; one's own is allowed
     * @param tag 0 or more
     */
    default void send(Object buffer, int dest, int tag) {
        send(buffer, 0, WHOLE, dest, tag, DEFAULT_CONTEXT);
    }

    default void send(Object buffer, long offset, long count, int dest, int tag) {
        send(buffer, offset, count, dest, tag, DEFAULT_CONTEXT);
    }

    void send(Object buffer, long offset, long count, int dest, int tag, int contextId);

    /** Sends and returns when a receive has matched and the buffer may be written again. */
    default void ssend(Object buffer, int dest, int tag) {
        ssend(buffer, 0, WHOLE, dest, tag, DEFAULT_CONTEXT);
    }

    default void ssend(Object buffer, long offset, long count, int dest, int tag) {
        ssend(buffer, offset, count, dest, tag, DEFAULT_CONTEXT);
    }

    void ssend(Object buffer, long offset, long count, int dest, int tag, int contextId);

    default Request isend(Object buffer, int dest, int tag) {
        return isend(buffer, 0, WHOLE, dest, tag, DEFAULT_CONTEXT);
    }

    default Request isend(Object buffer, long offset, long count, int dest, int tag) {
        return isend(buffer, offset, count, dest, tag, DEFAULT_CONTEXT);
    }

    Request isend(Object buffer, long offset, long count, int dest, int tag, int contextId);

    default Request issend(Object buffer, int dest, int tag) {
        return issend(buffer, 0, WHOLE, dest, tag, DEFAULT_CONTEXT);
    }

    default Request issend(Object buffer, long offset, long count, int dest, int tag) {
        return issend(buffer, offset, count, dest, tag, DEFAULT_CONTEXT);
    }

    Request issend(Object buffer, long offset, long count, int dest, int tag, int contextId);

    /**
     * Hands the buffer over for good: the receiver gets the memory itself where it can reach it. The buffer is closed
     * for the caller at once; the request completes when the receiver has closed its lease or copied the bytes out.
     */
    Request give(MessageBuffer buffer, long bytes, int dest, int tag, int contextId);

    default Request give(MessageBuffer buffer, int dest, int tag) {
        return give(buffer, buffer.bytes(), dest, tag, DEFAULT_CONTEXT);
    }

    /**
     * Sets up a way for many messages of one envelope, with memory for them at the receiver where that makes them
     * faster. Waits for the receiver's answer, for which its program has to make calls, as for a message; inside a
     * handler it doesn't wait, and messages go in the ordinary way until the receiver has answered, for good where it
     * has no memory.
     *
     * @param maxBytes longest message, 1 or more
     * @param slots 1 to {@link PersistentRoute#MOST_SLOTS}: messages that the receiver has room for; 2 where each is
     *     answered, more where several follow one another
     * @throws SluiceException NO_MEMORY where the receiver's {@code sluice.routes.bytes} are used up, or its RDMA
     *     device takes no more memory
     */
    PersistentRoute openRoute(int dest, int tag, int contextId, long maxBytes, int slots);

    default PersistentRoute openRoute(int dest, int tag, long maxBytes, int slots) {
        return openRoute(dest, tag, DEFAULT_CONTEXT, maxBytes, slots);
    }

    /** Receives one message; the result is a new Status. */
    default Status recv(Object buffer, int source, int tag) {
        return recv(buffer, 0, WHOLE, source, tag, DEFAULT_CONTEXT, new Status());
    }

    /** Receives one message into the caller's Status and returns that: allocates nothing. */
    default Status recv(Object buffer, int source, int tag, Status status) {
        return recv(buffer, 0, WHOLE, source, tag, DEFAULT_CONTEXT, status);
    }

    default Status recv(Object buffer, long offset, long count, int source, int tag) {
        return recv(buffer, offset, count, source, tag, DEFAULT_CONTEXT, new Status());
    }

    Status recv(Object buffer, long offset, long count, int source, int tag, int contextId, Status status);

    default Request irecv(Object buffer, int source, int tag) {
        return irecv(buffer, 0, WHOLE, source, tag, DEFAULT_CONTEXT);
    }

    default Request irecv(Object buffer, long offset, long count, int source, int tag) {
        return irecv(buffer, offset, count, source, tag, DEFAULT_CONTEXT);
    }

    Request irecv(Object buffer, long offset, long count, int source, int tag, int contextId);

    /**
     * Waits for a message and takes it where it lies.
     *
     * @throws SluiceException NO_MEMORY where it has to be copied and there is no memory for that: the message is
     *     consumed, and its sender goes on. One that {@link #mprobe} took can be received otherwise then
     */
    Lease recvInPlace(int source, int tag);

    /**
     * Waits until a message is there that a receive with these arguments would take; with several threads use
     * {@link #mprobe}.
     */
    default Status probe(int source, int tag) {
        return probe(source, tag, DEFAULT_CONTEXT);
    }

    Status probe(int source, int tag, int contextId);

    /** As {@link #probe} without waiting: null when there is none. */
    default Status iprobe(int source, int tag) {
        return iprobe(source, tag, DEFAULT_CONTEXT);
    }

    Status iprobe(int source, int tag, int contextId);

    /** Waits for a message and takes it out of the queue, so that nobody else can receive it. */
    default Message mprobe(int source, int tag) {
        return mprobe(source, tag, DEFAULT_CONTEXT);
    }

    Message mprobe(int source, int tag, int contextId);

    /** As {@link #mprobe} without waiting: null when there is none. */
    default Message improbe(int source, int tag) {
        return improbe(source, tag, DEFAULT_CONTEXT);
    }

    Message improbe(int source, int tag, int contextId);

    /**
     * Waits until some request of this device that nobody has peeked, waited for or tested to its end has completed,
     * and returns it.
     *
     * @return null when {@code timeout} has passed
     * @throws IllegalStateException unless the option {@code sluice.peek} is on: keeping completed requests has a cost
     * @throws SluiceException DEVICE_CLOSED, also when another thread closes the device meanwhile
     */
    Request peek(Duration timeout);

    /** Returns when every rank has called it. */
    void barrier();

    /**
     * Goes on after the death of a rank: wildcard receives stop failing because of it. Calls that name the rank still
     * fail.
     *
     * @throws IllegalStateException where the rank is not known to have died: no request has failed because of it
     */
    void acknowledge(int rank);

    /**
     * Waits for all; throws the first failure after all have completed. Nulls are skipped.
     *
     * @throws IllegalArgumentException for a request that isn't of this device, before it waits for any
     */
    void waitAll(Request... requests);

    /**
     * Waits for any; the index of one that completed, well or badly. -1 for no requests; nulls are skipped.
     *
     * @throws IllegalArgumentException for a request that isn't of this device
     */
    int waitAny(Request... requests);

    /**
     * Waits until at least one has completed; the indices of all that have. Nulls are skipped.
     *
     * @throws IllegalArgumentException for a request that isn't of this device
     */
    int[] waitSome(Request... requests);

    /**
     * Zeroed memory that ranks of this node read where it lies. Over verbs long messages leave it without a copy, in
     * memory that is registered for that once, and so may shorter ones of {@code isend} (option
     * {@code sluice.ib.zerocopy.bytes}); the rest is copied.
     */
    MessageBuffer allocate(long bytes);

    /**
     * Registers the memory of a buffer, all of it, with the RDMA device of this rank, where it has one: it stays ready
     * for long messages until {@link #deregister}, whatever {@code sluice.ib.cache.bytes} says. Without it that is done
     * by the first message that needs it. Memory that is freed by hand (of an arena, or a {@code Bytes} that is
     * released) is to be deregistered before.
     *
     * @param buffer a MessageBuffer, a direct ByteBuffer or a Bytes in direct memory
     * @throws IllegalArgumentException for memory in the heap
     * @throws SluiceException NO_MEMORY when the device takes no more
     */
    void register(Object buffer);

    /** Lets the RDMA device forget a buffer's memory, once no request uses it. Closing a MessageBuffer does so too. */
    void deregister(Object buffer);

    /** Messages that call a handler where they arrive; always the same object. */
    Handlers handlers();

    /** A snapshot of the counters, by name (docs/reference/counters.md); sums over peers. */
    Map<String, Long> counters();

    /** Runs what progress there is; for programs that only use non-blocking calls. True when something moved. */
    boolean progress();

    /**
     * Ends the whole job, as MPI_Abort does, and doesn't return. Under mpirun and srun all processes end at once; under
     * {@code ./sluice run} this JVM ends, the other ranks are told, have the grace, and are ended. Shutdown hooks of
     * this JVM don't run.
     *
     * @param status that the job ends with: the lowest 8 bits of it, and 1 where these are 0, as 0 would say that all
     *     went well
     * @param reason for people, printed with the rank
     */
    void abort(int status, String reason);

    /**
     * Closes: returns when every completed send is in its peer's memory; sends in flight get
     * {@code sluice.close.timeout.ms} to finish. Pending receives fail with DEVICE_CLOSED. What was sent stays
     * receivable at the peers until they close; sends in flight to a peer that closes without having received them fail
     * with PEER_CLOSED. Where no call has told the program of such a failure, as it never asked the requests, a line on
     * standard error says how many went to whom. Closing twice is harmless.
     *
     * @throws SluiceException TIMEOUT, naming a peer that did not take what was sent to it
     */
    @Override
    void close();

    /** As the count of a buffer: all of it from the offset on. */
    long WHOLE = -1;
}
