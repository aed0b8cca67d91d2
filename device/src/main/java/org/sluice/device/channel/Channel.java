package org.sluice.device.channel;

import java.util.Set;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Moves packets between this rank and some peers; knows nothing of matching. What only some channels can do are
 * capabilities beside this: {@link #lending} and what follows it answer with one, or with null. Each answer stays what
 * it is, so whoever needs one asks once.
 *
 * <p><i>Thread</i>: {@link #trySend} comes under the peer's send lock, {@link #poll} and {@link #arm} under the
 * device's progress lock; {@link #signal} comes from any thread after the send lock was released and
 * {@link Fences#afterPublish} passed. <i>Fails</i>: no room is {@link #NO_RESOURCE}, never an exception or a wait; a
 * peer that is dead or wrote nonsense is {@link ChannelListener#onPeerFailed}. <i>Proof</i>:
 * {@code ChannelConformance}, over every channel.
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

    /** The channel's name in options, tables and counters. */
    String name();

    /** Longest body of an EAGER or RNDV_DATA packet, in bytes; final once all peers are connected. */
    int eagerLimitBytes();

    /** The measured size from which rendezvous is the faster protocol here; the default of protocolSwitchLimit. */
    int protocolSwitchLimitBytes();

    /** The measured best length of the body of RNDV_DATA packets; at most {@link #eagerLimitBytes()}. */
    int chunkBytes();

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
     * Wakes the peer if it sleeps or doesn't watch this sender; after the send lock's release and
     * {@link Fences#afterPublish}.
     */
    void signal(int peer);

    /** Small packets to and from one peer, once it was connected or can be, and for good. */
    default Endpoint endpoint(int peer) {
        return new PlainEndpoint(this, peer);
    }

    /**
     * Hands up at most {@code limit} packets, and whatever has come of ends of gets, puts and loans.
     *
     * @return how many it handed up
     */
    int poll(ChannelListener listener, int limit);

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
     * is sending to it meanwhile. When this returns, no {@link Reading#get} from it writes any more, it writes to
     * nothing that it was offered, no {@link Writing#put} or {@link Lending#lend} to it reads any more, and none that
     * was on the way is told of.
     */
    void disconnect(int peer);

    /**
     * What this channel counts, beside what is counted for it above, and what others count for it, as of now; any
     * thread.
     */
    default Counters[] counters() {
        return new Counters[0];
    }

    /** Those of them that are of one peer alone, as of the last {@link #counters()}; any thread. */
    default Counters[] counters(int peer) {
        return new Counters[0];
    }

    /** What would be counted by this channel, and can't be told here; any thread. */
    default Set<Counter> unknownCounters() {
        return Set.of();
    }

    /** Gives everything back. Nobody calls the channel any more, but for what its capabilities name. */
    @Override
    void close();

    /** Eager messages that aren't copied; null where each is. */
    default Lending lending() {
        return null;
    }

    /** Several packets at once; null where each goes by itself. */
    default Coalescing coalescing() {
        return null;
    }

    /** Long messages out of the sender's memory; null where all are streamed. */
    default Reading reading() {
        return null;
    }

    /** Long messages into the receiver's memory; null where nobody writes there. */
    default Writing writing() {
        return null;
    }

    /** Memory that peers read by themselves; null where what is read for them ends with the connection. */
    default Sharing sharing() {
        return null;
    }

    /** Packets that stay where they came; null where each has to be copied. */
    default Keeping keeping() {
        return null;
    }

    /** Packets that are taken past the listener; null where a {@link #endpoint} does it, or nobody. */
    default EagerTaking taking() {
        return null;
    }

    /** For persistent routes; null where this channel's messages have no use for slots: they go as all others. */
    default RemoteSlots remoteSlots() {
        return null;
    }

    /** Memory that the channel is told of; null where it needn't know any. */
    default Registering registering() {
        return null;
    }

    /** Connections that are made with the first packet; null where there is none, or all stand from the beginning. */
    default Connecting connecting() {
        return null;
    }

    /** For a channel that costs more to poll than others; null where a poll costs next to nothing. */
    default Pacing pacing() {
        return null;
    }
}
