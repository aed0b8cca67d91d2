package org.sluice.ib.sim;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.IbChannel;
import org.sluice.ib.connect.ConnectionState;

/**
 * Two ranks that are joined by a simulated device and driven by one thread, which sends a message to and fro: how long
 * that takes the channel itself, without what the calls of the library take.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the channels. <i>Proof</i>: {@code TimedChannelsTest}.
 */
public final class TimedChannels implements AutoCloseable {
    private static final int RANKS = 2;
    private static final int TAG = 7;
    private static final int POLLS_MOST = 1_000;
    private static final long CONNECT_NANOS = 20_000_000_000L;

    private final TimedVerbs verbs = new TimedVerbs();
    private final IbChannel[] channels = new IbChannel[RANKS];
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final Arrived arrived = new Arrived();
    private final byte[] message;

    /** What a number of messages took. */
    public record Times(long messages, long ownNanos, long callNanos, long calls) {}

    /** Copies a message out, as a receive would. */
    private static final class Arrived implements ChannelListener {
        private long bytes;
        private long count;
        private byte[] into;

        @Override
        public void onPacket(int peer, int kind, int contextId, int tag, long address, int length, Object reference) {
            Memory.copy(null, address, into, Memory.arrayOffset(into), length);
            bytes += length;
            count++;
        }

        @Override
        public void onPeerFailed(int peer, boolean corrupt, String reason) {
            throw new IllegalStateException("rank " + peer + " failed: " + reason);
        }
    }

    /** @param bytes of a message */
    public TimedChannels(int bytes) {
        message = new byte[bytes];
        arrived.into = new byte[bytes];
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                channels[rank] = open(rank);
            }
            join();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private IbChannel open(int rank) {
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        WaitWord word = new WaitWord(Memory.address(memory), memory, null);
        UUID process = Unguessable.uuid();
        return IbChannel.create(rank, RANKS, process, word, Options.of(Map.of()), verbs);
    }

    private void join() {
        channels[0].add(1, channels[1].facts());
        channels[1].add(0, channels[0].facts());
        channels[0].want(1);
        long deadline = System.nanoTime() + CONNECT_NANOS;
        while (channels[0].state(1) != ConnectionState.READY || channels[1].state(0) != ConnectionState.READY) {
            for (IbChannel channel : channels) {
                channel.poll(arrived, 1);
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no connection: " + channels[0] + " and " + channels[1]);
            }
        }
        endpoints[0] = channels[0].endpoint(1);
        endpoints[1] = channels[1].endpoint(0);
    }

    /** @param roundTrips half of the messages that go */
    public Times exchange(int roundTrips) {
        long calls = verbs.calls();
        long callNanos = verbs.nanos();
        long start = System.nanoTime();
        for (int i = 0; i < roundTrips; i++) {
            send(0);
            send(1);
        }
        long nanos = System.nanoTime() - start;
        callNanos = verbs.nanos() - callNanos;
        return new Times(2L * roundTrips, nanos - callNanos, callNanos, verbs.calls() - calls);
    }

    /** Until it has arrived at the other one. */
    private void send(int from) {
        long before = arrived.count;
        while (endpoints[from].trySendEager(0, TAG, message, Memory.arrayOffset(message), message.length)
                != Channel.SENT) {
            channels[from].poll(arrived, 1);
        }
        endpoints[from].signal();
        for (int i = 0; arrived.count == before; i++) {
            channels[1 - from].poll(arrived, 1);
            if (i > POLLS_MOST) {
                throw new IllegalStateException("a message did not arrive: " + channels[1 - from]);
            }
        }
    }

    /** How many bytes have arrived so far. */
    public long arrivedBytes() {
        return arrived.bytes;
    }

    @Override
    public void close() {
        for (IbChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
