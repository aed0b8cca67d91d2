package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;

/**
 * Steps in which every message is answered and several are on their way at once ({@link Partners}). In a ring a rank
 * goes on when its messages have been answered and its neighbours' have come. Of one with a huge message the time until
 * all others are answered counts alone.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the device and the buffers. <i>Proof</i>: {@code AnsweredStepsTest}.
 */
abstract class AnsweredSteps implements Steps {
    final Device device;
    final int rank;
    Step step;
    Partners partners;

    private final BufferKind kind;
    private final LongFunction<MessageBuffer> allocator;
    private final Content content = new Content();
    private Payload[] outgoing = {};
    private boolean timesPart;
    private long beginNs;
    private long partNs;

    AnsweredSteps(Device device, BufferKind kind, LongFunction<MessageBuffer> allocator) {
        this.device = device;
        this.kind = kind;
        this.allocator = allocator;
        rank = device.rank();
    }

    /** One iteration of this rank. */
    abstract void once(int iteration);

    /** Before the first iteration of a step. */
    abstract void begin();

    /** After the last one: nothing is on its way any more. */
    abstract void end();

    @Override
    public final long[] run(Step newStep) {
        step = newStep;
        partners = Partners.of(step, rank, device.size());
        timesPart = step.benchmark() == Benchmark.KNEIGHBOR_HUGE;
        outgoing = payloads(outgoing, partners.to.length, partners::bytes);
        begin();
        try {
            return iterate();
        } finally {
            end();
        }
    }

    private long[] iterate() {
        long[] samples = new long[step.batches()];
        int iteration = 0;
        for (; iteration < step.leadIn(); iteration++) {
            iterate(iteration);
        }
        partNs = 0;
        long start = now();
        for (int batch = 0; batch < samples.length; batch++) {
            for (int i = 0; i < step.batch(); i++) {
                iterate(iteration++);
            }
            long end = now();
            samples[batch] = end - start;
            start = end;
        }
        return rank == 0 ? samples : StepRunner.NOTHING;
    }

    private void iterate(int iteration) {
        if (timesPart) {
            beginNs = System.nanoTime();
        }
        once(iteration);
    }

    private long now() {
        return timesPart ? partNs : System.nanoTime();
    }

    /** All answers have come whose time counts. */
    final void counted() {
        if (timesPart) {
            partNs += System.nanoTime() - beginNs;
        }
    }

    /** How long the message in each place is. */
    interface Lengths {
        int of(int place);
    }

    /** Those that there are where they fit exactly, else others in their place. */
    final Payload[] payloads(Payload[] old, int count, Lengths lengths) {
        boolean fit = old.length == count;
        for (int place = 0; place < count && fit; place++) {
            fit = old[place].bytes.capacity() == Math.max(Long.BYTES, lengths.of(place));
        }
        if (fit) {
            return old;
        }
        close(old);
        Payload[] payloads = new Payload[count];
        for (int place = 0; place < count; place++) {
            payloads[place] = Payload.of(kind, lengths.of(place), allocator);
        }
        return payloads;
    }

    /** What is sent from this place, as the step has it written. */
    final Object filled(int iteration, int place) {
        int bytes = partners.bytes(place);
        if (step.verify()) {
            content.write(outgoing[place].bytes, bytes, iteration, 0, place, rank);
        } else if (step.rewrite() == Rewrite.YES) {
            content.rewrite(outgoing[place].bytes, 0, bytes, iteration);
        }
        return outgoing[place].handle;
    }

    /** Of the message that came from a partner, in a place of {@link Partners#from}. */
    final void check(ByteBuffer bytes, int iteration, int place) {
        if (step.verify()) {
            int sent = partners.fromPlace[place];
            content.check(bytes, partners.bytes(sent), iteration, 0, sent, partners.from[place]);
        }
    }

    /** Of the answer to the message of a place, which is that message itself or nothing. */
    final void checkAnswer(ByteBuffer bytes, int iteration, int place) {
        int length = partners.answerBytes(place);
        if (step.verify() && length > 0) {
            content.check(bytes, length, iteration, 0, place, rank);
        }
    }

    static void close(Payload[] payloads) {
        for (Payload payload : payloads) {
            payload.close();
        }
    }

    @Override
    public void close() {
        close(outgoing);
        device.close();
    }
}
