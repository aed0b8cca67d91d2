package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Withdrawn;
import org.sluice.device.memory.Memory;

/**
 * A sender takes its memory back and writes to it, while a receiver copies a message from there: it never takes the new
 * bytes for the message.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the message, in time")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the message, and not believed")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "other bytes, and not believed")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "other bytes for the message")
@State
public class WithdrawnStress {
    private final StressMemory.Slot slot = StressMemory.take(2);
    private final StressListener listener = new StressListener();
    private final RingReader senders = new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot);
    private final RingWriter receivers = new RingWriter(slot.address, StressMemory.SIZE, slot);
    private final byte[] message = new byte[1];
    private final byte[] copy = new byte[1];

    @Actor
    public void sender() {
        senders.withdraw(Withdrawn.BY_CLOSE);
        message[0] = 1;
        slot.done();
    }

    @Actor
    public void receiver(II_Result result) {
        Memory.copy(message, Memory.arrayOffset(message), copy, Memory.arrayOffset(copy), 1);
        result.r2 = receivers.withdrawn() == Withdrawn.NO ? 0 : 1;
        result.r1 = copy[0];
        slot.done();
    }
}
