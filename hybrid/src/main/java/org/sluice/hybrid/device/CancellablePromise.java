package org.sluice.hybrid.device;

import java.util.function.BooleanSupplier;
import org.sluice.device.Status;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Waiting;

/** One that is withdrawn as its layer says, with a status of the layer's context. <i>Thread</i>: as its superclass. */
final class CancellablePromise extends Promise {
    private final int context;
    private final BooleanSupplier cancelling;

    CancellablePromise(
            Waiting waiting, ProgressEngine engine, Exchange exchange, int context, BooleanSupplier cancelling) {
        super(waiting, engine, exchange);
        this.context = context;
        this.cancelling = cancelling;
    }

    @Override
    public void fill(Status status) {
        super.fill(status);
        RenamedCompletion.rename(status, context, null, elementSize());
    }

    @Override
    public boolean cancel() {
        return !isReached() && cancelling.getAsBoolean();
    }
}
