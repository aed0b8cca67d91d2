package org.sluice.hybrid.device;

import org.sluice.device.ErrorCode;
import org.sluice.device.Status;
import org.sluice.device.layer.LayerPromise;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Waiting;

/** A request that a layer ends. <i>Thread</i>: as its superclass; it is ended once, by any. */
class Promise extends Completion implements LayerPromise {
    private final ProgressEngine engine;
    private final Exchange exchange;

    Promise(Waiting waiting, ProgressEngine engine, Exchange exchange) {
        super(waiting);
        this.engine = engine;
        this.exchange = exchange;
    }

    @Override
    public void succeed(int source, int tag, long bytes, int elementSize) {
        end(null, source, tag, bytes, elementSize);
    }

    @Override
    public void fail(ErrorCode code, int peer, String message, Throwable cause) {
        end(new Failure(code, peer, message, cause), -1, -1, 0, 1);
    }

    @Override
    public void fail(ErrorCode code, int peer, String message, Throwable cause, Status status, int elementSize) {
        end(new Failure(code, peer, message, cause), status.source(), status.tag(), status.bytes(), elementSize);
    }

    private void end(Failure failure, int source, int tag, long bytes, int elementSize) {
        exchange.locked(() -> exchange.endOfLayer(this, failure, source, tag, bytes, elementSize));
    }
}
