package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJJ_Result;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/** Wrong on purpose: a writer that publishes before it has written. Must fail, or the tests beside it prove nothing. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "1, 81985529216486895, 77", expect = Expect.ACCEPTABLE, desc = "whole")
@State
public class BrokenRingStress extends RingStress.Pair {
    private static final long WORD = 0x0123456789abcdefL;

    @Actor
    public void writer() {
        long cell = slot.address + RingLayout.CELLS;
        Memory.putLongRelease(cell + RingLayout.PUBLISH, RingLayout.publishWord(0, PacketKind.EAGER, 8));
        Memory.putLongRelease(cell + RingLayout.BODY, WORD);
        Memory.putIntRelease(cell + RingLayout.TAG, 77);
        slot.done();
    }

    @Actor
    public void reader(IJJ_Result result) {
        read(result);
    }
}
