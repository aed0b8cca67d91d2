package org.sluice.coroutines;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.Result;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Status;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.progress.ProgressLock;
import org.sluice.hybrid.request.Alternative;
import org.sluice.hybrid.request.AsyncCalls;
import org.sluice.hybrid.request.AsyncDevice;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.request.Goal;

/**
 * A device that has one receive, posted and suspended, and the coroutine that waits for it, which counts how often it
 * goes on.
 */
class CalledDevice implements AsyncDevice, AsyncCalls, Continuation<Received<? extends byte[]>> {
    static final String DELIVERED = "1 resumed with the message, 0 undelivered";
    static final String UNDELIVERED = "1 resumed with the cancelling, 1 undelivered";
    static final String WITHDRAWN = "1 resumed with the cancelling, 0 undelivered, withdrawn";

    private static final Failure CANCELLED = new Failure(ErrorCode.CANCELLED, -1, "cancelled");

    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);
    private final Job job = JobKt.Job((Job) null);
    private final AtomicInteger resumed = new AtomicInteger();
    private final AtomicInteger undelivered = new AtomicInteger();
    private final ReceiveCall<byte[]> call;
    private boolean matched;
    private volatile Object result;

    CalledDevice() {
        call = new ReceiveCall<>(this, this, new byte[1], 1, 1, 1, received -> {
            undelivered.incrementAndGet();
            return Unit.INSTANCE;
        });
        call.run();
    }

    void enter() {
        lock.lock();
    }

    void leave() {
        lock.unlock();
    }

    /** A message comes. */
    final void message() {
        enter();
        boolean isTold = match();
        leave();
        if (isTold) {
            call.ended(call);
        }
    }

    private boolean match() {
        if (call.operation() == null) {
            return false;
        }
        matched = true;
        return call.succeed(1, 1, 1, 1, 1);
    }

    /** The coroutine is cancelled. */
    final void cancelCoroutine() {
        job.cancel(null);
    }

    @Override
    public boolean cancel(Completion asked) {
        enter();
        boolean isWithdrawn = asked.operation() != null;
        boolean isTold = isWithdrawn && asked.fail(CANCELLED, 1, 1, 1, 0, 1);
        leave();
        if (isTold) {
            call.ended(call);
        }
        return isWithdrawn;
    }

    final String outcome() {
        return resumed + " resumed with the " + (result == call ? "message" : "cancelling") + ", " + undelivered
                + " undelivered" + (matched ? "" : ", withdrawn");
    }

    @Override
    public CoroutineContext getContext() {
        return job;
    }

    @Override
    public void resumeWith(Object how) {
        resumed.incrementAndGet();
        result = how instanceof Result.Failure ? null : how;
    }

    @Override
    public boolean receiveNow(Completion asked, Object buffer, int source, int tag, int contextId) {
        return false;
    }

    @Override
    public <C extends Completion & Callback> boolean receive(
            C asked, Object buffer, int source, int tag, int contextId) {
        asked.operation(this);
        return !asked.attach(asked);
    }

    @Override
    public AsyncCalls async() {
        return this;
    }

    @Override
    public boolean await(Goal goal, long deadlineNanos) {
        throw new UnsupportedOperationException("nobody waits here");
    }

    @Override
    public boolean progressOnce() {
        return false;
    }

    @Override
    public CompletableFuture<Status> futureOf(Completion asked) {
        throw new UnsupportedOperationException("there are no futures here");
    }

    @Override
    public void requireThread() {}

    @Override
    public PersistentRoute openRoute(Completion answer, int dest, int tag, int contextId, long maxBytes, int slots) {
        throw new UnsupportedOperationException("no route is opened here");
    }

    @Override
    public boolean sendNow(Object buffer, int dest, int tag, int contextId) {
        throw new UnsupportedOperationException("nothing is sent here");
    }

    @Override
    public <C extends Completion & Callback> boolean send(
            C asked, Object buffer, int dest, int tag, int contextId, boolean synchronous) {
        throw new UnsupportedOperationException("nothing is sent here");
    }

    @Override
    public <C extends Completion & Callback & Chooser> boolean receiveAny(C asked, List<Alternative> alternatives) {
        throw new UnsupportedOperationException("nothing is chosen here");
    }

    @Override
    public <C extends Completion & Callback> boolean receiveTaken(C asked, Message message, Object buffer) {
        throw new UnsupportedOperationException("nothing is taken here");
    }

    @Override
    public <C extends Completion & Callback> boolean arrival(C asked, Message message) {
        throw new UnsupportedOperationException("nothing is taken here");
    }

    @Override
    public <C extends Completion & Callback> Search search(
            C asked, int source, int tag, int contextId, boolean taking) {
        throw new UnsupportedOperationException("nothing is probed for here");
    }

    @Override
    public void dropped() {
        throw new UnsupportedOperationException("somebody is told of each message");
    }

    @Override
    public boolean callBack(Completion completion, Callback callback) {
        throw new UnsupportedOperationException("nobody waits for requests here");
    }
}
