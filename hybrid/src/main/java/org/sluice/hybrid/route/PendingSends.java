package org.sluice.hybrid.route;

import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.Channel;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * What found no room on the way to one peer, in the order in which it goes on: control packets, then messages in the order of matching,
 * then the next piece of one stream, so that nothing waits behind a large message.
 *
 * <p><i>Thread</i>: under the route's send lock. <i>Owns</i>: the operations in it. <i>Proof</i>: {@code RouteTest}.
 */
final class PendingSends {
    /** A control packet that found no room; rare, so it may be allocated. */
    private record ControlPacket(int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
    }

    private final PacketWriter writer;
    private final Counters counters;
    private final int chunkBytes;
    private final ArrayDeque<ControlPacket> controls = new ArrayDeque<>();
    private final ArrayDeque<SendOperation> messages = new ArrayDeque<>();
    private final ArrayList<SendOperation> streams = new ArrayList<>();
    private int nextStream;

    PendingSends(PacketWriter writer, Counters counters, int chunkBytes) {
        this.writer = writer;
        this.counters = counters;
        this.chunkBytes = chunkBytes;
    }

    boolean isEmpty() {
        return controls.isEmpty() && messages.isEmpty() && streams.isEmpty();
    }

    boolean hasMessages() {
        return !messages.isEmpty();
    }

    /** Control packets, or messages, that may share a packet. */
    boolean hasSeveral() {
        return messages.size() > 1 || controls.size() > 1;
    }

    void addMessage(SendOperation operation) {
        counters.increment(Counter.DEFERRED);
        messages.add(operation);
    }

    /** The message that goes next; null when there is none. */
    SendOperation firstMessage() {
        return messages.peek();
    }

    void removeFirstMessage() {
        messages.poll();
    }

    void addStream(SendOperation operation) {
        streams.add(operation);
    }

    /** Sends a control packet behind those that wait, or lets it wait too. @param now false: it waits in any case @return false when it waits */
    boolean control(boolean now, int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
        if (now && controls.isEmpty() && writer.control(kind, first, second, third, fourth, fifth, bytes) != Channel.NO_RESOURCE) {
            return true;
        }
        controls.add(new ControlPacket(kind, first, second, third, fourth, fifth, bytes));
        return false;
    }

    /** @return how many control packets went */
    int driveControls() {
        int done = 0;
        while (!controls.isEmpty()) {
            ControlPacket packet = controls.peek();
            if (writer.control(packet.kind(), packet.first(), packet.second(), packet.third(), packet.fourth(), packet.fifth(),
                    packet.bytes()) == Channel.NO_RESOURCE) {
                break;
            }
            controls.poll();
            done++;
        }
        return done;
    }

    /** One piece of one stream, in turn. @param over takes the stream when that was its last @return 1, or 0 when there was no room */
    int driveStream(List<SendOperation> over) {
        if (streams.isEmpty()) {
            return 0;
        }
        nextStream = nextStream + 1 < streams.size() ? nextStream + 1 : 0;
        SendOperation operation = streams.get(nextStream);
        int length = (int) Math.min(chunkBytes, operation.accepted - operation.streamed);
        if (writer.data(operation, length) != Channel.SENT) {
            return 0;
        }
        Reference.reachabilityFence(operation.buffer);
        counters.increment(Counter.STREAMED_CHUNKS);
        counters.increment(Counter.COPIES);
        counters.add(Counter.COPIED_BYTES, length);
        operation.streamed += length;
        if (operation.streamed == operation.accepted) {
            streams.remove(nextStream);
            over.add(operation);
        }
        return 1;
    }

    /** Empties it. @param over takes all messages */
    void fail(List<SendOperation> over) {
        controls.clear();
        over.addAll(messages);
        messages.clear();
        over.addAll(streams);
        streams.clear();
    }

    @Override
    public String toString() {
        return controls.size() + " controls, " + messages.size() + " messages, " + streams.size() + " streams pending";
    }
}
