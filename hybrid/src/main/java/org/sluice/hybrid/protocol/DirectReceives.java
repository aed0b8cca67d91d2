package org.sluice.hybrid.protocol;

import org.sluice.device.buffer.UserBuffer;
import org.sluice.hybrid.request.Completion;

/**
 * Begins and ends the receives that go past the queue ([0010] in docs/adr): the one that its caller polls for, and the glance before a
 * receive is posted. For buffers that need not be held.
 *
 * <p><i>Thread</i>: under the progress lock, which the caller keeps from beginning to end. <i>Proof</i>: {@code DirectReceiveTest}.
 */
public final class DirectReceives {
    private final Receiver receiver;
    private final Ends ends;

    DirectReceives(Receiver receiver, Ends ends) {
        this.receiver = receiver;
        this.ends = ends;
    }

    /** @return what to poll for, or null when it has to be posted; see {@link #end} */
    public DirectReceive begin(Object buffer, long offset, long bytes, int source, int tag, int contextId) {
        return receiver.beginDirect(contextId, source, tag, UserBuffer.base(buffer), UserBuffer.address(buffer, offset, true), bytes,
                UserBuffer.elementSize(buffer));
    }

    /** The caller polls no longer. @return null when the message is there, else what tells how the receive, now posted, ends */
    public Completion end(DirectReceive direct) {
        receiver.postDirect();
        return direct.takePosted();
    }

    /** The caller polls no longer and gives up: something was thrown that no receive throws. */
    public void abandon(DirectReceive direct) {
        receiver.abandonDirect(direct);
    }

    /** As {@link #begin} for a caller that looks once and then posts the receive, unless its message was there. */
    public DirectReceive beginGlance(Object buffer, long offset, long bytes, int source, int tag, int contextId) {
        DirectReceive direct = begin(buffer, offset, bytes, source, tag, contextId);
        if (direct != null) {
            direct.glance();
        }
        return direct;
    }

    /** The caller has looked. @return true when the message was there: the request is done */
    public boolean endGlance(DirectReceive glance, Completion completion) {
        glance.withdraw();
        if (glance.isTaken()) {
            glance.succeed(completion);
            ends.told(completion, false);
        }
        return glance.isTaken();
    }

    /** True while receives wait in the queue: messages that come are theirs first. */
    public boolean arePosted() {
        return receiver.hasPosted();
    }
}
