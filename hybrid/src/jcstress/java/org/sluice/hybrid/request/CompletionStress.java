package org.sluice.hybrid.request;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.sluice.device.Status;

/** The result's plain fields are whole for whoever sees that the request is done. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "not done yet")
@Outcome(id = "7, 81985529216486895", expect = Expect.ACCEPTABLE, desc = "done and whole")
@State
public class CompletionStress {
    private static final long BYTES = 0x0123456789abcdefL;

    private final Completion completion = new Completion(null);

    @Actor
    public void completer() {
        completion.succeed(1, 7, 1, BYTES, 1);
    }

    @Actor
    public void reader(JJ_Result result) {
        result.r1 = -1;
        result.r2 = -1;
        if (completion.isReached()) {
            Status status = new Status();
            completion.fill(status);
            result.r1 = status.source();
            result.r2 = status.bytes();
        }
    }
}
