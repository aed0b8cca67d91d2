package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;

/** A rank that goes to sleep while a sender sends: it finds the packet in its last poll, or its word is rung. */
public class WaitWordStress {
    private static final long[] BODY = {42};

    /** A sender and a sleeper with fences of one kind. */
    static class Pair {
        private final Fences fences;
        private final StressMemory.Slot slot = StressMemory.take(2);
        private final StressListener listener = new StressListener();
        private final RingWriter writer = new RingWriter(slot.address, StressMemory.SIZE, slot);
        private final RingReader reader = new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot);
        private final WaitWord word;

        Pair(Fences fences) {
            this.fences = fences;
            word = new WaitWord(StressMemory.behindRing(slot), slot, null, fences);
        }

        final int send() {
            writer.trySend(PacketKind.EAGER, 0, 0, BODY, Memory.arrayOffset(BODY), 8);
            fences.afterPublish();
            int rang = word.ringIfSleeping() ? 1 : 0;
            slot.done();
            return rang;
        }

        final int fallAsleep() {
            word.announceSleep();
            int found = reader.poll(listener, 1);
            slot.done();
            return found;
        }
    }

    /** Both fence. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep with a packet waiting")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "found, rung, or both")
    @State
    public static class Symmetric extends Pair {
        public Symmetric() {
            super(Fences.SYMMETRIC);
        }

        @Actor
        public void sender(II_Result result) {
            result.r1 = send();
        }

        @Actor
        public void sleeper(II_Result result) {
            result.r2 = fallAsleep();
        }
    }

    /** The sleeper fences for both. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep with a packet waiting")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "found, rung, or both")
    @State
    public static class Asymmetric extends Pair {
        private static final Fences FENCES = StressFences.ofThisMachine();

        public Asymmetric() {
            super(FENCES);
        }

        @Actor
        public void sender(II_Result result) {
            result.r1 = send();
        }

        @Actor
        public void sleeper(II_Result result) {
            result.r2 = fallAsleep();
        }
    }
}
