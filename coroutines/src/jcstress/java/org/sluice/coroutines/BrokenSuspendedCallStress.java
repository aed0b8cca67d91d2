package org.sluice.coroutines;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.sluice.hybrid.request.Completion;

/** Wrong on purpose: whoever ends the receive takes no lock, and it ends twice at once. Has to be caught. */
@JCStressTest
@Outcome(id = CalledDevice.DELIVERED, expect = Expect.ACCEPTABLE, desc = "the message was first")
@Outcome(
        id = CalledDevice.UNDELIVERED,
        expect = Expect.ACCEPTABLE,
        desc = "the message was first, and the coroutine cancelled before it heard of it")
@Outcome(id = CalledDevice.WITHDRAWN, expect = Expect.ACCEPTABLE, desc = "the cancel was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "the coroutine went on twice or never, or the message is lost")
@State
public class BrokenSuspendedCallStress extends CalledDevice {
    @Actor
    public void arrival() {
        try {
            message();
        } catch (RuntimeException e) {
            // What notices it is none of what this looks at.
        }
    }

    @Actor
    public void canceller() {
        cancelCoroutine();
    }

    @Override
    public boolean cancel(Completion asked) {
        try {
            return super.cancel(asked);
        } catch (RuntimeException e) {
            return true;
        }
    }

    @Override
    void enter() {}

    @Override
    void leave() {}

    @Arbiter
    public void end(L_Result result) {
        result.r1 = outcome();
    }
}
