package org.sluice.device.channel;

import org.sluice.device.SluiceException;
import org.sluice.device.counter.Counters;

/**
 * Moves packets and bytes between this rank and some peers; knows nothing of matching.
 *
 * <p><i>Thread</i>: the calls that name a peer and send ({@link #trySend}, {@link #gather}, {@link #flush}) come under
 * that peer's send lock, {@link #describe} and {@link #lend} too, {@link #poll}, {@link #get}, {@link #put} and
 * {@link #arm} under the device's progress lock; {@link #signal} comes from any thread after the send lock was released
 * and {@link Fences#afterPublish} passed; {@link #release} under either lock or none. <i>Fails</i>: no room is
 * {@link #NO_RESOURCE}, never an exception or a wait; a peer that is dead or wrote nonsense is
 * {@link ChannelListener#onPeerFailed}. <i>Proof</i>: {@code ChannelConformance}, over every channel.
 */
public interface Channel extends AutoCloseable {
    /** {@link #trySend}: the packet was taken. */
    int SENT = 0;

    /** {@link #trySend}: there is no room now; ask again after some progress. Nothing was sent. */
    int NO_RESOURCE = -1;

    /**
     * {@link #trySend}: this peer can't be sent to any more; {@link ChannelListener#onPeerFailed} tells or told why.
     */
    int PEER_FAILED = -2;

    /** {@link #get}: the bytes are there. */
    int GET_DONE = 0;

    /**
     * {@link #get}: the bytes are on their way, and the destination is the channel's until
     * {@link ChannelListener#onGetDone}.
     */
    int GET_STARTED = 1;

    /** {@link #get}: the reference is invalid or the peer's memory can't be read; the peer has failed. */
    int GET_FAILED = -3;

    /**
     * {@link #get}: the channel can't read into this destination, or can't reach this memory of a peer that lives; the
     * peer has to stream the bytes, and finds out what became of them where it is so.
     */
    int GET_BY_STREAM = -4;

    /** {@link #get}: the bytes can only be written by the peer, to memory that {@link #offer} names. */
    int GET_BY_PUT = -5;

    /**
     * {@link #get}: pages of the destination are gone, which is the program's own memory; the peer and its memory are
     * as they were. Never of a channel that answers {@link #GET_STARTED}.
     */
    int GET_TARGET_LOST = -6;

    /** {@link #withdrawn}: the peer's memory is still its messages'. */
    int NOT_WITHDRAWN = 0;

    /** {@link #withdrawn}: the peer has closed. */
    int WITHDRAWN_BY_CLOSE = 1;

    /** {@link #withdrawn}: the peer's device failed, or has cut this rank off. */
    int WITHDRAWN_BY_FAILURE = 2;

    /** {@link #withdrawn}: what says so was overwritten; the peer has failed. */
    int WITHDRAWN_CORRUPT = -1;

    /**
     * {@link #put}: the bytes are on their way, and their source is the channel's until
     * {@link ChannelListener#onPutDone}.
     */
    int PUT_STARTED = 1;

    /** {@link #put}: the reference is invalid; the peer that named it has failed. */
    int PUT_FAILED = -3;

    /**
     * {@link #lend}: the packet is on its way, and the memory is the channel's until
     * {@link ChannelListener#onLentBack}.
     */
    int LENT = 1;

    /** {@link #lend}: not out of this memory, or not now; {@link #trySend} copies it. Nothing was sent. */
    int LEND_BY_COPY = -3;

    /** {@link #takeEager}: nothing has come from this peer. */
    long NOTHING = -1;

    /** {@link #takeEager}: the peer's next packet is for {@link #poll}. */
    long FOR_POLL = -2;

    /** The channel's name in options, tables and counters. */
    String name();

    /** Longest body of an EAGER or RNDV_DATA packet, in bytes; final once all peers are connected. */
    int eagerLimitBytes();

    /** The measured size from which rendezvous is the faster protocol here; the default of protocolSwitchLimit. */
    int protocolSwitchLimitBytes();

    /** The measured best length of the body of RNDV_DATA packets; at most {@link #eagerLimitBytes()}. */
    int chunkBytes();

    /** The measured best length of one {@link #get} or {@link #put} of what this names, and the most that it takes. */
    default int getBytes(RemoteReference from) {
        return chunkBytes();
    }

    /**
     * Sends one packet if there is room; the body is copied before the call returns. Packets to one peer arrive in the
     * order sent.
     *
     * @param base an array that {@code address} counts from, or null for absolute memory
     * @param bytes length of the body; at most {@link #eagerLimitBytes()}, and {@link PacketKind#CONTROL_BODY_LIMIT}
     *     where the kind is neither EAGER nor RNDV_DATA
     * @param reference travels with RNDV_START between ranks of one JVM, else null
     */
    int trySend(int peer, int kind, int contextId, int tag, Object base, long address, int bytes, Object reference);

    /**
     * The measured length of a message from which on {@link #lend} costs less than the copy; above
     * {@link #eagerLimitBytes} it never does.
     */
    default int lendFromBytes() {
        return Integer.MAX_VALUE;
    }

    /** As {@link #lendFromBytes}, for a sender that waits until it has its memory back. */
    default int lendAndWaitFromBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * Sends one EAGER packet, as {@link #trySend}, without a copy: the memory is read until
     * {@link ChannelListener#onLentBack}, or until {@link #disconnect} has returned.
     *
     * @param owner of the memory, as in {@link #describe}; what makes its memory last is the caller's business until
     *     then
     * @param into gets the lease where this returns {@link #LENT}: it goes to {@link #release} at the end
     * @param ticket what {@link ChannelListener#onLentBack} is told
     * @return {@link #LENT}, {@link #LEND_BY_COPY}, {@link #NO_RESOURCE} or {@link #PEER_FAILED}
     */
    default int lend(
            int peer,
            int contextId,
            int tag,
            Object owner,
            long address,
            int bytes,
            RemoteReference into,
            Object ticket) {
        return LEND_BY_COPY;
    }

    /**
     * Whether {@link #gather} pays for control packets too: what several messages are answered with in one round leaves
     * together.
     */
    default boolean packs() {
        return false;
    }

    /**
     * Several packets for this peer come one after the other: the channel may keep some of those that it takes until
     * {@link #flush}, to send them together. Under the send lock, which is not released in between.
     */
    default void gather(int peer) {
        // Each goes by itself.
    }

    /**
     * Sends what was kept since {@link #gather}.
     *
     * @return {@link #NO_RESOURCE} where there is no room for it yet: it goes before anything else that is sent to this
     *     peer, and somebody has to call this again until it is gone; else {@link #SENT} or {@link #PEER_FAILED}
     */
    default int flush(int peer) {
        return SENT;
    }

    /**
     * True where a packet that found no room may wait for this rank's own progress, as for a connection that nobody
     * else makes: then the device goes on by itself, although no call of the program may follow.
     */
    default boolean waitsForOwnProgress() {
        return false;
    }

    /**
     * Whether room for a packet to this peer comes where this rank has stopped polling: by the peer's progress alone,
     * or once a connection is made. Under the send lock.
     */
    default boolean makesRoomUnpolled(int peer) {
        return true;
    }

    /**
     * Wakes the peer if it sleeps or doesn't watch this sender; after the send lock's release and
     * {@link Fences#afterPublish}.
     */
    void signal(int peer);

    /**
     * Says how {@code peer} could read these bytes by itself, or that this rank can {@link #put} them. What it takes
     * for that lasts until {@link #release} of the reference's lease.
     *
     * @param owner what the memory belongs to, where {@code base} is null:
     *     {@link org.sluice.device.buffer.MemoryOwner#of}
     * @return false, with {@code into} cleared, when they must be streamed
     */
    boolean describe(int peer, Object owner, Object base, long address, long bytes, RemoteReference into);

    /** The peer reads no longer what was described with this lease. Any thread. */
    default void release(Object lease) {
        throw new IllegalArgumentException("this channel gave out no lease " + lease);
    }

    /**
     * Copies bytes out of a peer's memory, at once or by and by. Several may be on the way, to one destination and to
     * several. Where it throws, this one is not.
     *
     * @param owner of the destination's memory, where {@code base} is null, as in {@link #describe}; kept until the end
     * @param ticket what {@link ChannelListener#onGetDone} is told
     * @param bytes at most {@link #getBytes}
     * @return {@link #GET_DONE}, {@link #GET_STARTED}, {@link #NO_RESOURCE}, {@link #GET_FAILED},
     *     {@link #GET_BY_STREAM}, {@link #GET_TARGET_LOST} or, of the whole message, {@link #GET_BY_PUT}
     */
    int get(
            int peer,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes,
            Object ticket);

    /**
     * Whether it depends on the machine if {@link #get} or a stream is the faster way of what this names, and a
     * constant can't tell: who receives several such messages tries both.
     */
    default boolean isGetOnTrial(RemoteReference from) {
        return false;
    }

    /**
     * What was described to this peer so far is not the messages' any more: who is still reading it learns so, and why,
     * by {@link #withdrawn}. When this returns, the program may write to that memory. The first reason stays. Under the
     * progress lock.
     *
     * @param why {@link #WITHDRAWN_BY_CLOSE} or {@link #WITHDRAWN_BY_FAILURE}
     */
    default void withdraw(int peer, int why) {
        // What the channel reads for a peer ends with the connection.
    }

    /**
     * Whether a peer withdrew what it had described, so that bytes that {@link #get} copied before this call may be
     * something else's. Under the progress lock.
     *
     * @return {@link #NOT_WITHDRAWN}: all of them were the messages'; {@link #WITHDRAWN_BY_CLOSE},
     *     {@link #WITHDRAWN_BY_FAILURE} or {@link #WITHDRAWN_CORRUPT}
     */
    default int withdrawn(int peer) {
        return NOT_WITHDRAWN;
    }

    /**
     * What has become of this channel's own memory, where somebody took pages of it away and a copy of a packet, or
     * into a message buffer, that the caller made before this call may be zeros; else null. Every peer of this channel
     * fails for that reason soon. Any thread.
     */
    default String lostMemory() {
        return null;
    }

    /**
     * Lets a peer write to this memory, until {@link #takeBack}; under the progress lock. Meanwhile the memory is the
     * peer's, who may write to it at any time, until it says that it is done or {@link #disconnect} has returned.
     *
     * @param owner as in {@link #get}
     * @param into what the peer needs to know, and the lease
     * @return false, with nothing changed, when it can't: the peer has to stream the bytes
     */
    default boolean offer(int peer, Object owner, Object base, long address, long bytes, RemoteReference into) {
        return false;
    }

    /** The peer writes no longer to what was offered with this lease, or was disconnected; under the progress lock. */
    default void takeBack(int peer, Object lease) {
        throw new IllegalArgumentException("this channel offered no lease " + lease);
    }

    /**
     * Begins to write to memory that a peer offered; under the progress lock. Several may be on the way, to one peer
     * and to several. A packet that is sent after this call arrives after the bytes.
     *
     * @param from what {@link #describe} filled in for all of the message; its lease lasts until after the end of this
     * @param address of these bytes, inside of what was described
     * @param bytes at most {@link #getBytes}
     * @param to what the peer's {@link #offer} filled in
     * @param offset where they go, from the beginning of what was offered
     * @param ticket what {@link ChannelListener#onPutDone} is told
     * @return {@link #PUT_STARTED}, {@link #NO_RESOURCE} or {@link #PUT_FAILED}
     */
    default int put(
            int peer, RemoteReference from, long address, int bytes, RemoteReference to, long offset, Object ticket) {
        return PUT_FAILED;
    }

    /**
     * Makes memory ready for {@link #describe} and {@link #get}, whatever limits the channel has, until
     * {@link #deregister}. Any thread.
     *
     * @return false when that can't be had
     */
    default boolean register(Object owner) {
        return true;
    }

    /** Lets go of memory, once no request uses it. Any thread. */
    default void deregister(Object owner) {
        // There is nothing to let go of.
    }

    /** For persistent routes; null where this channel's messages have no use for slots: they go as all others. */
    default RemoteSlots remoteSlots() {
        return null;
    }

    /** Where the peer's bytes can be read in place, as an absolute address; 0 when they can't. Checks the reference. */
    long addressInPlace(int peer, RemoteReference from, long bytes);

    /**
     * Within {@link ChannelListener#onPacket}: the packet's body stays where it is, unchanged, until {@link #giveBack},
     * also when its sender is gone by then, and when this channel is closed.
     *
     * @param address of the body, as it was handed up
     * @return false where it can't: then the body has to be copied
     */
    default boolean keep(long address) {
        return false;
    }

    /**
     * The program reads a body that was kept, perhaps for longer than it may: its memory is never freed while it can do
     * that.
     */
    default void show(long address) {
        throw new IllegalArgumentException("this channel keeps nothing");
    }

    /** Nobody needs a body any more that was kept; under the progress lock, and after {@link #close} too. */
    default void giveBack(long address) {
        throw new IllegalArgumentException("this channel keeps nothing");
    }

    /**
     * Hands up at most {@code limit} packets, and whatever has come of ends of gets, puts and loans.
     *
     * @return how many it handed up
     */
    int poll(ChannelListener listener, int limit);

    /**
     * Whether a {@link #poll} that finds nothing takes as long as many of a channel in memory: while others bring more
     * it is called less often.
     */
    default boolean isPollCostly() {
        return false;
    }

    /**
     * Whether the next {@link #poll} has something to do for this rank itself, so that it is not to be put off; where
     * {@link #isPollCostly}.
     */
    default boolean wantsPoll() {
        return false;
    }

    /**
     * Takes a peer's next packet past the listener, for a receiver that knows where it belongs: an EAGER packet of this
     * envelope that fits and is a whole number of elements goes straight to its place. Under the progress lock, as
     * {@link #poll}.
     *
     * @param tagOrAny a tag, or {@link org.sluice.device.Device#ANY_TAG}
     * @param base an array that {@code address} counts from, or null for absolute memory
     * @param bytes room at that place
     * @param elementSize of the receive, in bytes; a power of two
     * @return {@link #takenTag tag} and {@link #takenBytes length} of what was taken, {@link #NOTHING}, or
     *     {@link #FOR_POLL}, which always may be
     */
    default long takeEager(
            int peer, int contextId, int tagOrAny, Object base, long address, long bytes, int elementSize) {
        return FOR_POLL;
    }

    /**
     * Small packets to and from one peer, once it is connected and for good; null where {@link Endpoint#of} has to ask
     * this channel each time.
     */
    default Endpoint endpoint(int peer) {
        return null;
    }

    /** What {@link #takeEager} returns for a message with this tag and length. */
    static long taken(int tag, int bytes) {
        return (long) tag << Integer.SIZE | bytes;
    }

    static int takenTag(long taken) {
        return (int) (taken >>> Integer.SIZE);
    }

    static int takenBytes(long taken) {
        return (int) taken;
    }

    /**
     * Asks senders whose packets would wake nobody to send them otherwise; before {@link #arm}, under the progress
     * lock.
     *
     * @return true when all have agreed: nothing comes unseen until a later {@link #poll} hands up a packet. Else the
     *     rank polls on and asks again
     */
    default boolean prepareSleep() {
        return true;
    }

    /**
     * Asks the senders to wake this rank through its {@link WaitWord}: after {@code arm}, {@link Fences#beforeLook} and
     * one more {@link #poll} that finds nothing, any later packet rings the word.
     */
    void arm();

    /**
     * Looks whether peers still live and hands up failures, before each what that peer had still sent; a few times a
     * second, under the progress lock.
     */
    void checkPeers(ChannelListener listener);

    /**
     * Ends all traffic with a peer that failed or closed: its packets are dropped, sends to it are PEER_FAILED. Nobody
     * is sending to it meanwhile. When this returns, no {@link #get} from it writes any more, it writes to nothing that
     * it was offered, no {@link #put} or {@link #lend} to it reads any more, and none that was on the way is told of.
     */
    void disconnect(int peer);

    /**
     * Whether a packet to this peer would be the first between the two, and cost a connection that nobody has begun to
     * make. Any thread; a hint.
     */
    default boolean isUnmet(int peer) {
        return false;
    }

    /**
     * This rank closes, and somebody else has told this peer so: where it {@link #isUnmet} no connection is made any
     * more, and one that the peer asks for is refused as by a rank that has closed. Under the progress lock.
     *
     * @return whether that is so; else it has to be sent a CLOSE
     */
    default boolean leaveUnmet(int peer) {
        return false;
    }

    /**
     * After {@link #close}: why what was sent to a peer last may not have arrived, although the peer has neither closed
     * nor ended; null where it has arrived, or needn't.
     */
    default SluiceException undelivered(int peer) {
        return null;
    }

    /** What this channel counts, beside what is counted for it above; any thread. */
    default Counters[] counters() {
        return new Counters[0];
    }

    /** Gives everything back. Nobody calls the channel any more. */
    @Override
    void close();
}
