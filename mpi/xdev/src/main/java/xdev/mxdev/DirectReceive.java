package xdev.mxdev;

import mpjbuf.Buffer;
import mpjdev.Status;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import xdev.XDevException;

/** A receive straight into the static part of its buffer. */
final class DirectReceive extends Pending {
    private final Buffer buffer;
    private final Request request;

    DirectReceive(Wire wire, Buffer buffer, Request request, Status status, int tag) {
        super(wire, status, tag);
        this.buffer = buffer;
        this.request = request;
    }

    @Override
    Request request() {
        return request;
    }

    @Override
    void ended(org.sluice.device.Status of) {
        Contents.received(buffer, (int) of.bytes());
        wire.told(status, of, tag, buffer);
    }

    @Override
    XDevException failure(SluiceException cause) {
        return Contents.tooLong(buffer, cause);
    }

    /** True when it is withdrawn, as no message has matched it. */
    @Override
    public boolean cancel() {
        return request.cancel();
    }
}
