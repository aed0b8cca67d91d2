package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * A receiver that looks away while a sender sends: the packet is found all the same, and by the next poll at the
 * latest.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "found")
@State
public class DoorbellStress {
    private static final long[] BODY = {42};

    private final StressMemory.Slot slot = StressMemory.take(3);
    private final StressListener listener = new StressListener();
    private final RingWriter writer = new RingWriter(slot.address, StressMemory.SIZE, slot);
    private final Doorbell doorbell = new Doorbell(StressMemory.behindRing(slot), 1);
    private final InboundRings inbound = new InboundRings(1, doorbell, listener, Fences.SYMMETRIC, 1);

    public DoorbellStress() {
        inbound.add(0, new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot));
        // Watched from here on, and looked away from at the first poll that finds nothing.
        doorbell.ring(0);
        writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
        inbound.poll(listener, 1);
        listener.packets = 0;
    }

    @Actor
    public void sender() {
        writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
        Memory.fullFence();
        doorbell.ringUnlessWatched(writer, 0);
        slot.done();
    }

    @Actor
    public void receiver() {
        inbound.poll(listener, 1);
        slot.done();
    }

    @Arbiter
    public void afterwards(II_Result result) {
        inbound.poll(listener, 1);
        result.r1 = listener.packets;
        result.r2 = listener.failures;
        slot.done();
    }
}
