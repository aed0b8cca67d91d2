package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.jctools.queues.SpscArrayQueue;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * The floor between two threads: a JCTools single-producer single-consumer queue each way, through which the sender's
 * buffer goes by reference, and one copy out of it.
 */
final class SpscExchange implements Exchange {
    private static final int CAPACITY = 1024;

    private final Queue<ByteBuffer> out;
    private final Queue<ByteBuffer> in;
    private final Payloads payloads;
    private int size;

    private SpscExchange(Queue<ByteBuffer> out, Queue<ByteBuffer> in, BufferKind kind) {
        this.out = out;
        this.in = in;
        payloads = new Payloads(kind, null);
    }

    /** Both ends, by rank. */
    static List<SpscExchange> pair(BufferKind kind) {
        List<SpscArrayQueue<ByteBuffer>> queues = IntStream.range(0, 2)
                .mapToObj(i -> new SpscArrayQueue<ByteBuffer>(CAPACITY))
                .toList();
        return List.of(
                new SpscExchange(queues.get(0), queues.get(1), kind),
                new SpscExchange(queues.get(1), queues.get(0), kind));
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        size = step.size();
    }

    @Override
    public ByteBuffer outgoing() {
        return payloads.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        ByteBuffer message = payloads.outgoing();
        while (!out.offer(message)) {
            continue;
        }
    }

    @Override
    public void expect(int rank, int slot) {
        ByteBuffer message = in.poll();
        while (message == null) {
            message = in.poll();
        }
        ByteBuffer to = payloads.incoming();
        if (size == Long.BYTES) {
            to.putLong(slot * size, message.getLong(slot * size));
        } else if (size > 0) {
            to.put(slot * size, message, slot * size, size);
        }
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        post(rank, 0);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        while (in.poll() == null) {
            continue;
        }
    }

    @Override
    public void close() {
        payloads.close();
    }
}
