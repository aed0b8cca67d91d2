package org.sluice.shm.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.IJJ_Result;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/** What a reader sees is whole: header and body, in the cell and in the payload ring, also where room is used again. */
public final class RingStress {
    private static final long WORD = 0x0123456789abcdefL;

    private RingStress() {}

    private static long[] words(int bytes) {
        long[] words = new long[bytes / Long.BYTES];
        java.util.Arrays.fill(words, WORD);
        return words;
    }

    /** A packet within one cell. */
    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 81985529216486895, 77", expect = Expect.ACCEPTABLE, desc = "whole")
    @State
    public static class SmallBody extends Pair {
        @Actor
        public void writer() {
            writer.trySend(PacketKind.EAGER, 5, 77, WORDS, Memory.arrayOffset(WORDS), 8);
            slot.done();
        }

        @Actor
        public void reader(IJJ_Result result) {
            read(result);
        }

        private static final long[] WORDS = words(8);
    }

    /** A packet whose body is in the payload ring. */
    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 81985529216486895, 77", expect = Expect.ACCEPTABLE, desc = "whole")
    @State
    public static class LongBody extends Pair {
        @Actor
        public void writer() {
            writer.trySend(PacketKind.EAGER, 5, 77, WORDS, Memory.arrayOffset(WORDS), 128);
            slot.done();
        }

        @Actor
        public void reader(IJJ_Result result) {
            read(result);
        }

        private static final long[] WORDS = words(128);
    }

    /** A full ring: a new packet may take a cell only after its old packet was read. */
    @JCStressTest
    @Outcome(id = "-1, 16, 0", expect = Expect.ACCEPTABLE, desc = "refused, all old packets whole")
    @Outcome(id = "0, 16, 0", expect = Expect.ACCEPTABLE, desc = "taken, all old packets whole")
    @Outcome(id = "0, 17, 0", expect = Expect.ACCEPTABLE, desc = "taken and read in the same poll")
    @State
    public static class Reuse extends Pair {
        private static final long[] OLD = words(8);
        private static final long[] NEW = {~WORD};

        public Reuse() {
            for (int i = 0; i < SIZE.cells() - RingLayout.RESERVED_CELLS; i++) {
                writer.trySend(PacketKind.EAGER, 0, i, OLD, Memory.arrayOffset(OLD), 8);
            }
        }

        private static final RingSize SIZE = StressMemory.SIZE;

        @Actor
        public void writer(III_Result result) {
            result.r1 = writer.trySend(
                    PacketKind.EAGER, 0, SIZE.cells() - RingLayout.RESERVED_CELLS, NEW, Memory.arrayOffset(NEW), 8);
            slot.done();
        }

        @Actor
        public void reader(III_Result result) {
            int wrong = 0;
            for (int taken = 1; taken != 0; ) {
                taken = reader.poll(listener, 1);
                long expected = listener.tag < SIZE.cells() - RingLayout.RESERVED_CELLS ? WORD : ~WORD;
                wrong += taken != 0 && listener.first != expected ? 1 : 0;
            }
            result.r2 = listener.packets;
            result.r3 = wrong + listener.failures;
            slot.done();
        }
    }

    /** A ring with both of its ends. */
    public static class Pair {
        final StressMemory.Slot slot = StressMemory.take(2);
        final StressListener listener = new StressListener();
        final RingWriter writer = new RingWriter(slot.address, StressMemory.SIZE, slot);
        final RingReader reader = new RingReader(0, slot.address, StressMemory.SIZE, null, listener, slot);

        final void read(IJJ_Result result) {
            result.r1 = reader.poll(listener, 1) + 10 * listener.failures;
            result.r2 = listener.first == listener.last ? listener.first : -1;
            result.r3 = listener.tag;
            slot.done();
        }
    }
}
