package org.sluice.hybrid.receive;

import java.lang.ref.Reference;
import org.sluice.device.Device;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Endpoint;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.request.Completion;

/**
 * Begins and ends the receives that go past the queue (docs/project/adr/0010-direct-receive.md): the one that its
 * caller polls for, and the one whose message is there already. For buffers that need not be held.
 *
 * <p><i>Thread</i>: under the progress lock, which the caller keeps from beginning to end. <i>Proof</i>:
 * {@code DirectReceiveTest}.
 */
public final class DirectReceives {
    private final Receiver receiver;
    private final Ends ends;

    public DirectReceives(Receiver receiver, Ends ends) {
        this.receiver = receiver;
        this.ends = ends;
    }

    /** @return what to poll for, or null when it has to be posted; see {@link #end} */
    public DirectReceive begin(Object buffer, long offset, long bytes, int contextId, int source, int tag) {
        return receiver.beginDirect(buffer, offset, bytes, contextId, source, tag);
    }

    /**
     * The caller polls no longer.
     *
     * @return null when the message is there, else what tells how the receive, now posted, ends
     */
    public Completion end(DirectReceive direct) {
        receiver.postDirect();
        return direct.takePosted();
    }

    /**
     * Takes the message of a receive that was not even begun, if it is there and no other comes first.
     *
     * @return as {@link Endpoint#takeEager}
     */
    public long takeNow(Object buffer, long offset, long bytes, int contextId, int source, int tag) {
        if (source == Device.ANY_SOURCE || !receiver.isNext(source)) {
            return Endpoint.FOR_POLL;
        }
        Source from = receiver.sources[source];
        long taken = from.endpoint.takeEager(
                contextId,
                tag,
                UserBuffer.base(buffer),
                UserBuffer.address(buffer, offset, true),
                bytes,
                UserBuffer.elementSize(buffer));
        if (taken >= 0) {
            receiver.delivery.taken(from, Endpoint.takenBytes(taken));
        }
        Reference.reachabilityFence(buffer);
        return taken;
    }

    /** The message of {@link #takeNow} is what a request asked for. */
    public void succeed(Completion completion, long taken, int contextId, int source, Object buffer) {
        completion.succeed(
                contextId,
                source,
                Endpoint.takenTag(taken),
                Endpoint.takenBytes(taken),
                UserBuffer.elementSize(buffer));
        ends.told(completion, false);
    }

    /** True while a receive waits in the queue that a message of this source may belong to: it gets its own first. */
    public boolean isBehind(int source) {
        return receiver.isBehind(source);
    }
}
