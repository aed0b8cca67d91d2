package org.sluice.hybrid.device;

import org.sluice.device.Message;
import org.sluice.device.layer.LayerTaking;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Waiting;

/** A layer's probe that takes the message that it finds. <i>Thread</i>: as its superclass. */
final class Taking extends RenamedCompletion implements LayerTaking {
    private final TakenMessage taker;
    private RenamedMessage message;

    Taking(Waiting waiting, int context, int[] ranks, TakenMessage taker) {
        super(waiting, context, ranks, false);
        this.taker = taker;
    }

    @Override
    public Message message() {
        if (message == null) {
            message = new RenamedMessage(taker, device(), context, ranks);
        }
        return message;
    }
}
