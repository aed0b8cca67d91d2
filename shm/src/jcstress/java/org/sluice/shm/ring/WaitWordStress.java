package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;

/** A rank that goes to sleep while a sender sends: it finds the packet in its last poll, or its word is rung. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep with a packet waiting")
@Outcome(expect = Expect.ACCEPTABLE, desc = "found, rung, or both")
@State
public class WaitWordStress {
    private static final long[] BODY = {42};

    private final StressMemory.Slot slot = StressMemory.take(2);
    private final StressListener listener = new StressListener();
    private final RingWriter writer = new RingWriter(slot.address, StressMemory.SIZE, slot);
    private final RingReader reader = new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot);
    private final WaitWord word = new WaitWord(StressMemory.behindRing(slot), slot, null);

    @Actor
    public void sender(II_Result result) {
        writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
        Memory.fullFence();
        result.r1 = word.ringIfSleeping() ? 1 : 0;
        slot.done();
    }

    @Actor
    public void sleeper(II_Result result) {
        word.announceSleep();
        result.r2 = reader.poll(listener, 1);
        slot.done();
    }
}
