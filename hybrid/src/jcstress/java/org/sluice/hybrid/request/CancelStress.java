package org.sluice.hybrid.request;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.sluice.device.ErrorCode;
import org.sluice.device.Status;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.progress.ProgressLock;

/** A receive that is cancelled while a message matches it ends exactly one way, and both sides know which. */
@JCStressTest
@Outcome(id = "true, false, 0", expect = Expect.ACCEPTABLE, desc = "the message was first")
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the cancel was first")
@State
public class CancelStress implements Waiting {
    private static final Failure CANCELLED = new Failure(ErrorCode.CANCELLED, -1, "cancelled");

    private final ProgressLock lock = new ProgressLock(Fences.SYMMETRIC);
    private final Completion completion = new Completion(this);

    public CancelStress() {
        completion.operation(this);
    }

    @Actor
    public void message(ZZI_Result result) {
        lock.lock();
        if (completion.operation() != null) {
            completion.succeed(1, 1, 1, 1, 1);
            result.r1 = true;
        }
        lock.unlock();
    }

    @Actor
    public void canceller(ZZI_Result result) {
        result.r2 = completion.cancel();
    }

    @Arbiter
    public void end(ZZI_Result result) {
        result.r3 = !completion.isReached() ? -1 : completion.error() == ErrorCode.CANCELLED ? 1 : 0;
    }

    @Override
    public boolean cancel(Completion asked) {
        lock.lock();
        try {
            if (asked.operation() == null) {
                return false;
            }
            asked.fail(CANCELLED, 1, 1, 1, 0, 1);
            return true;
        } finally {
            lock.unlock();
        }
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
        throw new UnsupportedOperationException("nobody is called back here");
    }
}
