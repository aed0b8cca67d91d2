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
public class DoorbellStress {
    private static final long[] BODY = {42};

    /** A sender and a receiver with fences of one kind. */
    static class Pair {
        private final Fences fences;
        private final StressMemory.Slot slot = StressMemory.take(3);
        private final StressListener listener = new StressListener();
        private final RingWriter writer = new RingWriter(slot.address, StressMemory.SIZE, slot);
        private final Doorbell doorbell = new Doorbell(StressMemory.behindRing(slot), 1);
        private final InboundRings inbound;

        Pair(Fences fences) {
            this.fences = fences;
            inbound = new InboundRings(1, doorbell, listener, fences, 1);
            inbound.add(0, new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot));
            // Watched from here on, and looked away from at the first poll that finds nothing.
            doorbell.ring(0);
            writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
            inbound.poll(listener, 1);
            listener.packets = 0;
        }

        final void send() {
            writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
            fences.afterPublish();
            doorbell.ringUnlessWatched(writer, 0);
            slot.done();
        }

        final void receive() {
            inbound.poll(listener, 1);
            slot.done();
        }

        final void end(II_Result result) {
            inbound.poll(listener, 1);
            result.r1 = listener.packets;
            result.r2 = listener.failures;
            slot.done();
        }
    }

    /** Both fence. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "found")
    @State
    public static class Symmetric extends Pair {
        public Symmetric() {
            super(Fences.SYMMETRIC);
        }

        @Actor
        public void sender() {
            send();
        }

        @Actor
        public void receiver() {
            receive();
        }

        @Arbiter
        public void afterwards(II_Result result) {
            end(result);
        }
    }

    /** The receiver fences for both. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "found")
    @State
    public static class Asymmetric extends Pair {
        private static final Fences FENCES = StressFences.ofThisMachine();

        public Asymmetric() {
            super(FENCES);
        }

        @Actor
        public void sender() {
            send();
        }

        @Actor
        public void receiver() {
            receive();
        }

        @Arbiter
        public void afterwards(II_Result result) {
            end(result);
        }
    }
}
