package org.sluice.hybrid.route;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.Channel;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * What found no room on the way to one peer, in the order in which it goes on: control packets, then messages in the
 * order of matching, then the next piece of one stream, so that nothing waits behind a large message.
 *
 * <p><i>Thread</i>: under the route's send lock. <i>Owns</i>: the operations in it. <i>Proof</i>: {@code RouteTest},
 * {@code SendsWithoutMemoryTest}.
 */
final class PendingSends {
    /** Of a control packet that waits: kind, five words, bytes. */
    private static final int CONTROL_WORDS = 7;

    private final PacketWriter writer;
    private final Counters counters;
    private final int chunkBytes;
    /** A ring, as a message of which an answer waits allocates nothing. */
    private long[] controls = new long[8 * CONTROL_WORDS];

    private int firstControl;
    private int controlCount;
    final SendQueue messages = new SendQueue();
    final ArrayList<SendOperation> streams = new ArrayList<>();
    private int nextStream;

    PendingSends(PacketWriter writer, Counters counters, int chunkBytes) {
        this.writer = writer;
        this.counters = counters;
        this.chunkBytes = chunkBytes;
    }

    boolean isEmpty() {
        return controlCount == 0 && messages.isEmpty() && streams.isEmpty();
    }

    boolean hasMessages() {
        return !messages.isEmpty();
    }

    /** Control packets, or messages, that may share a packet. */
    boolean hasSeveral() {
        return messages.size() > 1 || controlCount > 1;
    }

    void addMessage(SendOperation operation) {
        counters.increment(Counter.DEFERRED);
        messages.add(operation);
    }

    /** The message that goes next; null when there is none. */
    SendOperation firstMessage() {
        return messages.first();
    }

    void removeFirstMessage() {
        messages.removeFirst();
    }

    /**
     * Takes a message out, of which nothing has gone.
     *
     * @return false where it isn't here any more, or is in a slot of a persistent route already
     */
    boolean withdraw(SendOperation operation) {
        return operation.slot == null && messages.remove(operation);
    }

    void addStream(SendOperation operation) {
        streams.add(operation);
    }

    /**
     * Sends a control packet behind those that wait, or lets it wait too.
     *
     * @param now false: it waits in any case
     * @return false when it waits
     */
    boolean control(boolean now, int kind, long first, long second, long third, long fourth, long fifth, int bytes) {
        if (now
                && controlCount == 0
                && writer.control(kind, first, second, third, fourth, fifth, bytes) != Channel.NO_RESOURCE) {
            return true;
        }
        if (controlCount * CONTROL_WORDS == controls.length) {
            growControls();
        }
        int at = place(controlCount++);
        controls[at] = kind;
        controls[at + 1] = first;
        controls[at + 2] = second;
        controls[at + 3] = third;
        controls[at + 4] = fourth;
        controls[at + 5] = fifth;
        controls[at + 6] = bytes;
        return false;
    }

    private int place(int index) {
        return (firstControl + index) % (controls.length / CONTROL_WORDS) * CONTROL_WORDS;
    }

    private void growControls() {
        long[] larger = new long[2 * controls.length];
        for (int i = 0; i < controlCount; i++) {
            System.arraycopy(controls, place(i), larger, i * CONTROL_WORDS, CONTROL_WORDS);
        }
        controls = larger;
        firstControl = 0;
    }

    /** @return how many control packets went */
    int driveControls() {
        int done = 0;
        while (controlCount > 0) {
            int at = place(0);
            if (writer.control(
                            (int) controls[at],
                            controls[at + 1],
                            controls[at + 2],
                            controls[at + 3],
                            controls[at + 4],
                            controls[at + 5],
                            (int) controls[at + 6])
                    == Channel.NO_RESOURCE) {
                break;
            }
            firstControl = (firstControl + 1) % (controls.length / CONTROL_WORDS);
            controlCount--;
            done++;
        }
        return done;
    }

    /**
     * One piece of one stream, in turn.
     *
     * @param over takes the stream when that was its last
     * @return 1, or 0 when there was no room
     */
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
            over.add(operation);
            streams.remove(nextStream);
        }
        return 1;
    }

    /**
     * Empties it.
     *
     * @param over takes all messages
     */
    void fail(List<SendOperation> over) {
        controlCount = 0;
        messages.drainTo(over);
        over.addAll(streams);
        streams.clear();
    }

    @Override
    public String toString() {
        return controlCount + " controls, " + messages.size() + " messages, " + streams.size() + " streams pending";
    }
}
