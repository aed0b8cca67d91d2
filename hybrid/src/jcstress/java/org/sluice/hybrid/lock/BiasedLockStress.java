package org.sluice.hybrid.lock;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Fences;

/** Nobody is inside beside the thread that has the bias, however another one asks for the lock. */
public class BiasedLockStress {
    private static final Fences FENCES = Visitors.real();

    /** The other waits until it gets in. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "one at a time")
    @Outcome(expect = Expect.FORBIDDEN, desc = "two were inside at once")
    @State
    public static class Locking extends Visitors {
        public Locking() {
            super(FENCES);
        }

        @Actor
        public void often() {
            owner();
        }

        @Actor
        public void rarely() {
            guest();
        }

        @Arbiter
        public void end(II_Result result) {
            tell(result);
        }
    }

    /** The other goes on when it doesn't get in. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "one at a time")
    @Outcome(expect = Expect.FORBIDDEN, desc = "two were inside at once")
    @State
    public static class Trying extends Visitors {
        public Trying() {
            super(FENCES);
        }

        @Actor
        public void often() {
            owner();
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
}
