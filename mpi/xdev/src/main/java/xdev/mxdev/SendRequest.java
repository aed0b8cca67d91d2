package xdev.mxdev;

import mpjdev.Status;
import org.sluice.device.Request;

final class SendRequest extends Pending {
    private final Request request;

    SendRequest(Wire wire, Request request, int tag) {
        super(wire, new Status(wire.id().uuid(), tag, -1), tag);
        this.request = request;
    }

    @Override
    Request request() {
        return request;
    }

    @Override
    void ended(org.sluice.device.Status of) {}

    /** Sends aren't taken back: MPJ Express would forget one whose receiver is still asked. */
    @Override
    public boolean cancel() {
        return false;
    }
}
