package org.sluice.hybrid.lock;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Fences;

/**
 * Wrong on purpose: the fence that the other threads need is left out, and two are inside at once. Has to be caught.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "one at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "two were inside at once")
@State
public class BrokenBiasedLockStress extends Visitors {
    private static final Fences WITHOUT = Fences.asymmetric(() -> {});

    public BrokenBiasedLockStress() {
        super(WITHOUT);
    }

    @Actor
    public void often() {
        impatientOwner();
    }

    @Actor
    public void rarely() {
        trier();
    }

    @Arbiter
    public void end(II_Result result) {
        tell(result);
    }
}
