package org.sluice.hybrid.request;

import java.util.concurrent.CompletableFuture;
import org.sluice.device.Status;

/** The future of a request, which completes with it. */
public class RequestFuture extends CompletableFuture<Status> implements Callback {
    @Override
    public void ended(Completion completion) {
        if (isDone()) {
            // The program has cancelled it, or completed it by itself: it gets no failure, and has not heard of one.
            return;
        }
        Status status = new Status();
        completion.fill(status);
        Failure failure = completion.failure();
        if (failure == null ? complete(status) : completeExceptionally(failure.toException(status))) {
            completion.heard();
        }
    }

    @Override
    public boolean isWaiting() {
        return !isDone();
    }

    @Override
    public void failed(Throwable cause) {
        completeExceptionally(cause);
    }
}
