package org.sluice.coroutines;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A coroutine that is cancelled while its receive ends goes on exactly once, and the message is its own, somebody's who
 * is told of it, or still to come.
 */
@JCStressTest
@Outcome(id = CalledDevice.DELIVERED, expect = Expect.ACCEPTABLE, desc = "the message was first")
@Outcome(
        id = CalledDevice.UNDELIVERED,
        expect = Expect.ACCEPTABLE,
        desc = "the message was first, and the coroutine cancelled before it heard of it")
@Outcome(id = CalledDevice.WITHDRAWN, expect = Expect.ACCEPTABLE, desc = "the cancel was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "the coroutine went on twice or never, or the message is lost")
@State
public class SuspendedCallStress extends CalledDevice {
    @Actor
    public void arrival() {
        message();
    }

    @Actor
    public void canceller() {
        cancelCoroutine();
    }

    @Arbiter
    public void end(L_Result result) {
        result.r1 = outcome();
    }
}
