package org.sluice.jni.verbs;

/**
 * The calls of libibverbs and librdmacm, as an object that a test can replace.
 *
 * <p>Every result below zero is -errno, and nothing is thrown; a handle is the address of the library's object and
 * above zero. An argument that no call could accept (a handle of 0, a negative length, a null or too short array) is
 * {@code -EINVAL}. Arrays named {@code out} are written in the order of the constants that name their fields. Work
 * requests, completions and events lie in native memory that the caller lays out as {@link VerbsLayout} says.
 *
 * <p>Thread: any; two calls on one object at once only where the libraries allow it (posting and polling they do), and
 * none after or during its destruction. Nothing blocks except {@link #waitReady}: event descriptors are made
 * non-blocking.
 *
 * <p>Owns: nothing; whoever created an object destroys it, before what it was made from.
 *
 * <p>Fails: by its result only.
 *
 * <p>Proof: the Verbs...Test classes, and {@code jni/src/test/c/verbs/verbs_harness.c}.
 */
public interface VerbsCalls {

    /** {@link #queryDevice} writes these fields. */
    int DEVICE_MAX_QP = 0;

    int DEVICE_MAX_QP_WR = 1;
    int DEVICE_MAX_SGE = 2;
    int DEVICE_MAX_CQ = 3;
    int DEVICE_MAX_CQE = 4;
    int DEVICE_MAX_MR = 5;
    int DEVICE_MAX_MR_SIZE = 6;
    int DEVICE_MAX_QP_RD_ATOM = 7;
    int DEVICE_MAX_QP_INIT_RD_ATOM = 8;
    int DEVICE_MAX_SRQ = 9;
    int DEVICE_MAX_SRQ_WR = 10;
    int DEVICE_MAX_SRQ_SGE = 11;
    int DEVICE_PORTS = 12;
    int DEVICE_VENDOR_ID = 13;
    int DEVICE_FIELDS = 14;

    /** What SoftRoCE, the Linux kernel's own device in software, says as its vendor. */
    int VENDOR_SOFT_ROCE = 0xFFFFFF;

    /** {@link #queryPort} writes these fields; MTUs in bytes, the rest as the library numbers it. */
    int PORT_STATE = 0;

    int PORT_MAX_MTU_BYTES = 1;
    int PORT_ACTIVE_MTU_BYTES = 2;
    int PORT_LINK_LAYER = 3;
    int PORT_GIDS = 4;
    int PORT_MAX_MESSAGE_BYTES = 5;
    int PORT_FIELDS = 6;

    int PORT_STATE_ACTIVE = 4;
    int LINK_LAYER_INFINIBAND = 1;
    int LINK_LAYER_ETHERNET = 2;

    /** {@link #queryGid} writes these fields: the 16 bytes as two big-endian halves, type and interface index. */
    int GID_HIGH = 0;

    int GID_LOW = 1;
    int GID_TYPE = 2;
    int GID_INTERFACE = 3;
    int GID_FIELDS = 4;

    int GID_TYPE_INFINIBAND = 0;
    int GID_TYPE_ROCE_V1 = 1;
    int GID_TYPE_ROCE_V2 = 2;

    /** {@link #cmGid} writes these fields. */
    int CM_GID_HIGH = 0;

    int CM_GID_LOW = 1;
    int CM_GID_PKEY = 2;
    int CM_GID_FIELDS = 3;

    /** {@link #registerMemory} writes these fields. */
    int REGION_HANDLE = 0;

    int REGION_LKEY = 1;
    int REGION_RKEY = 2;
    int REGION_FIELDS = 3;

    int ACCESS_LOCAL_WRITE = 1;
    int ACCESS_REMOTE_WRITE = 1 << 1;
    int ACCESS_REMOTE_READ = 1 << 2;

    /** {@link #createQueuePair} reads the first three and writes back what it got, and the number. */
    int QUEUE_PAIR_MAX_SEND_WR = 0;

    int QUEUE_PAIR_MAX_SEND_SGE = 1;
    int QUEUE_PAIR_MAX_INLINE_BYTES = 2;
    int QUEUE_PAIR_NUMBER = 3;
    int QUEUE_PAIR_FIELDS = 4;

    /** {@link #queryQueuePair} writes these fields: the state as the library numbers it, and which way packets take. */
    int PATH_STATE = 0;

    int PATH_MTU_BYTES = 1;
    int PATH_PKEY_INDEX = 2;
    int PATH_GID_INDEX = 3;
    int PATH_TRAFFIC_CLASS = 4;
    int PATH_SERVICE_LEVEL = 5;
    int PATH_ACK_TIMEOUT = 6;
    int PATH_RETRY_COUNT = 7;
    int PATH_RNR_RETRY_COUNT = 8;
    int PATH_FIELDS = 9;

    /** {@link #connect} and {@link #accept} read these. */
    int CONNECT_RESPONDER_RESOURCES = 0;

    int CONNECT_INITIATOR_DEPTH = 1;
    int CONNECT_RETRY_COUNT = 2;
    int CONNECT_RNR_RETRY_COUNT = 3;
    int CONNECT_FIELDS = 4;

    /**
     * {@link #asyncEvent} writes these: the kind, and the number of the queue pair or port, or the handle of the
     * completion or shared receive queue, that it concerns; or 0.
     */
    int ASYNC_KIND = 0;

    int ASYNC_NUMBER = 1;
    int ASYNC_FIELDS = 2;

    /**
     * Names of the RDMA devices, UTF-8, each followed by a zero byte; returns how many bytes there are, also when more
     * than fit.
     */
    int deviceNames(byte[] out);

    /**
     * Opens a device by its name (UTF-8, closed by a zero byte) to look at it; give it back with {@link #closeDevice}.
     * {@code -ENODEV} where there is none of that name.
     */
    long openDevice(byte[] name);

    int closeDevice(long context);

    /** @param context from {@link #openDevice} or {@link #cmContext} */
    int queryDevice(long context, long[] out);

    /** @param port counts from 1 */
    int queryPort(long context, int port, long[] out);

    /** {@code -ENODATA} where the table has an empty place. */
    int queryGid(long context, int port, int index, long[] out);

    /** An entry of the port's table of partition keys, 0 to 65535. */
    int queryPkey(long context, int port, int index);

    /** Name of the device of a context, UTF-8 without a zero byte; returns its length. */
    int deviceName(long context, byte[] out);

    long allocateProtectionDomain(long context);

    int deallocateProtectionDomain(long domain);

    long createCompletionChannel(long context);

    int destroyCompletionChannel(long channel);

    int completionChannelFd(long channel);

    /** @param channel from {@link #createCompletionChannel}, or 0 for a queue without events */
    long createCompletionQueue(long context, int entries, long channel);

    int destroyCompletionQueue(long queue);

    /** Asks for one event at the next completion. */
    int requestNotify(long queue);

    /** Takes and acknowledges all events that wait on the channel; returns how many. */
    int drainCompletionEvents(long channel);

    /** Takes at most {@code count} completions into an array of {@link VerbsLayout#WC_BYTES}; returns how many. */
    int poll(long queue, int count, long address);

    long createSharedReceiveQueue(long domain, int maxWr, int maxSge);

    /** Asks for one asynchronous event when fewer than {@code limit} slots are posted. */
    int setLimit(long sharedReceiveQueue, int limit);

    int destroySharedReceiveQueue(long queue);

    /**
     * Posts a list of receive work requests.
     *
     * @param badAddress 8 aligned bytes that get the address of the first request that was not taken, when the result
     *     is below zero; what is there after 0 means nothing
     */
    int postReceive(long sharedReceiveQueue, long workRequest, long badAddress);

    /**
     * Posts a list of send work requests; as {@link #postReceive}.
     *
     * @param queuePair from {@link #createQueuePair}
     */
    int postSend(long queuePair, long workRequest, long badAddress);

    /** Pins and registers memory; {@code -ENOMEM} where the locked-memory limit is in the way. */
    int registerMemory(long domain, long address, long bytes, int access, long[] out);

    int deregisterMemory(long region);

    long createEventChannel();

    int destroyEventChannel(long channel);

    int eventChannelFd(long channel);

    /** A connection identifier of librdmacm for reliable connections. */
    long createId(long eventChannel);

    int destroyId(long id);

    /**
     * @param address IPv4 (4 bytes) or IPv6 (16 bytes), all zero for any
     * @param port 0 for any
     */
    int bind(long id, byte[] address, int port);

    int listen(long id, int backlog);

    /** The port that the id is bound to. */
    int localPort(long id);

    /**
     * The context of the device that the id is bound to; 0 when it is bound to none. All ids of a process on one device
     * have the same, and it lives as long as any of them.
     */
    long cmContext(long id);

    /** The device's port that the id is bound to, counted from 1; 0 when it is bound to none. */
    int cmPort(long id);

    /** The source GID and the partition key that the connection manager uses for an id that is bound to a device. */
    int cmGid(long id, long[] out);

    /** @param source address to come from, or null */
    int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs);

    int resolveRoute(long id, int timeoutMs);

    /**
     * Gives an id whose address is resolved the route of another one to the same peer, with less: the event of a
     * resolved route follows.
     *
     * @param from an id whose route is resolved; {@code -ENODATA} when it is not
     * @param mtuBytes at most so much in a packet, 256 to 4096; 0: as the route says
     * @param serviceLevel 0 to 15; -1: as the route says
     */
    int copyRoute(long from, long to, int mtuBytes, int serviceLevel);

    /** Sets type of service, 0 to 255, before the route is resolved. */
    int setTypeOfService(long id, int value);

    /** Sets the local acknowledge timeout, 4.096 us x 2^value, 0 to 31, before the connection. */
    int setAckTimeout(long id, int value);

    /**
     * Makes the id's reliable-connection queue pair, with every send work request signalled by its own flag only.
     *
     * @param limits the {@code QUEUE_PAIR_} fields
     */
    long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits);

    /** Destroys the queue pair of the id, if it has one. */
    int destroyQueuePair(long id);

    /** Moves a queue pair to the error state: what is posted is flushed. */
    int failQueuePair(long queuePair);

    /** The queue pair's state and path, the {@code PATH_} fields. */
    int queryQueuePair(long queuePair, long[] out);

    /** @param privateData at most 56 bytes, or null for none */
    int connect(long id, long[] parameters, byte[] privateData);

    /** @param privateData at most 196 bytes, or null for none */
    int accept(long id, long[] parameters, byte[] privateData);

    /** @param privateData at most 148 bytes, or null for none */
    int reject(long id, byte[] privateData);

    /**
     * Says that a packet has come over an accepted connection: the peer holds it for made, though its last message was
     * lost.
     */
    int tellEstablished(long id);

    int disconnect(long id);

    /**
     * Takes the next connection event, acknowledges it and writes it at {@code address} as {@link VerbsLayout} draws
     * it.
     *
     * @return 1, or 0 when there is none
     */
    int connectionEvent(long eventChannel, long address);

    /** The descriptor of a context's asynchronous events. */
    int asyncFd(long context);

    /**
     * Takes and acknowledges the next asynchronous event.
     *
     * @return 1, or 0 when there is none
     */
    int asyncEvent(long context, long[] out);

    /**
     * A descriptor that {@link #ring} makes ready, to end a {@link #waitReady}. Nothing else may be rung or hushed:
     * that could block.
     */
    int createBell();

    int ring(int bell);

    /** Makes a bell silent again. */
    int hush(int bell);

    int closeBell(int bell);

    /**
     * Blocks until one of the descriptors can be read.
     *
     * @param timeoutMs at least 0
     * @return a bit for each that can; 0 after the timeout or a signal
     */
    int waitReady(int[] descriptors, int timeoutMs);

    /** The soft limit of locked memory of this process in bytes; Long.MAX_VALUE where there is none. */
    long lockedMemoryLimit();
}
