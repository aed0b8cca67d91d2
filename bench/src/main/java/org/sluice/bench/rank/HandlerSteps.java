package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.Handler;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;

/**
 * Steps of a rank whose messages call a handler: nobody posts a receive, and the handler of a message sends what
 * answers it, as message-driven programs do. Windows are sent outside of handlers, where a sender waits for a receiver
 * that is behind.
 *
 * <p>A step's handler is registered when the rank is ready for it and deregistered at its end, so what a rank that is
 * ahead sends waits. <i>Thread</i>: the rank's, which serves; handlers run on it, or on the device's with
 * {@code sluice.progress.threads}. <i>Owns</i>: the device and the buffers. <i>Fails</i>: what a handler throws ends
 * the step, which throws it. <i>Proof</i>: {@code ApiStepsTest}.
 */
final class HandlerSteps implements Steps {
    private static final int ID = 7;
    /**
     * Up to here a message is read value by value, as handlers read their arguments; a view of more is worth its
     * object.
     */
    private static final int VALUES_MOST = 64;

    private final Device device;
    private final Handlers handlers;
    private final Payloads payloads;
    private final Content content = new Content();
    private final int rank;

    HandlerSteps(Device device, BufferKind kind) {
        this.device = device;
        handlers = device.handlers();
        payloads = new Payloads(kind, handlers::allocate);
        rank = device.rank();
    }

    @Override
    public long[] run(Step step) {
        payloads.prepare(step);
        Part part = part(step);
        handlers.register(ID, part);
        try {
            part.run();
        } finally {
            handlers.deregister(ID);
        }
        part.rethrow();
        return rank == 0 ? part.clock.samples() : StepRunner.NOTHING;
    }

    private Part part(Step step) {
        if (step.benchmark() == Benchmark.LATENCY) {
            return rank == 0 ? new Ping(step) : new Pong(step);
        }
        if (step.benchmark() == Benchmark.BANDWIDTH || step.benchmark() == Benchmark.RATE) {
            return rank == 0 ? new WindowSender(step) : new WindowReceiver(step);
        }
        throw new IllegalArgumentException(
                step.benchmark().label() + " has no handlers; latency, bandwidth and rate have");
    }

    @Override
    public void close() {
        payloads.close();
        device.close();
    }

    /** One rank's part in all iterations of a step. */
    private abstract class Part implements Handler {
        final Step step;
        final BatchClock clock;
        int iteration;
        /** Written by handlers, read when they have stopped the serving. */
        private Throwable failure;

        Part(Step step) {
            this.step = step;
            clock = new BatchClock(step, content);
        }

        /** Until the last iteration has ended. */
        abstract void run();

        abstract void arrived(Lease message);

        @Override
        public final void handle(int source, Lease message) {
            if (failure != null) {
                return;
            }
            try {
                arrived(message);
            } catch (Throwable e) {
                failure = e;
                handlers.stop();
            }
        }

        final boolean hasFailed() {
            return failure != null;
        }

        final void rethrow() {
            if (failure != null) {
                throw new IllegalStateException(failure.getMessage(), failure);
            }
        }

        final int slot(int message) {
            return step.leavesBuffersAlone() ? 0 : message;
        }

        final void send(int slot) {
            if (!step.leavesBuffersAlone()) {
                content.fill(step, payloads.outgoing(), slot, iteration, slot, rank);
            }
            handlers.syncSend(1 - rank, ID, payloads.outgoingHandle(), (long) slot * step.size(), step.size());
        }

        /** Puts a message where a receive would have put it. */
        final void take(Lease message, int slot) {
            int size = step.size();
            if (message.bytes() != size) {
                throw new IllegalStateException(
                        "received " + message.bytes() + " B where " + size + " B were sent: " + message.status());
            }
            ByteBuffer incoming = payloads.incoming();
            int at = slot * size;
            if (size > VALUES_MOST) {
                incoming.put(at, message.buffer(), 0, size);
                return;
            }
            int done = 0;
            for (; done + Long.BYTES <= size; done += Long.BYTES) {
                incoming.putLong(at + done, message.getLong(done));
            }
            for (; done < size; done++) {
                incoming.put(at + done, message.getByte(done));
            }
        }

        final void check(int slot) {
            content.look(step, payloads.incoming(), slot, iteration, slot, 1 - rank);
        }
    }

    private final class Ping extends Part {
        Ping(Step step) {
            super(step);
        }

        @Override
        void run() {
            clock.begin();
            send(0);
            handlers.serve();
        }

        @Override
        void arrived(Lease message) {
            take(message, 0);
            check(0);
            iteration++;
            if (clock.ended()) {
                handlers.stop();
            } else {
                send(0);
            }
        }
    }

    private final class Pong extends Part {
        Pong(Step step) {
            super(step);
        }

        @Override
        void run() {
            handlers.serve();
        }

        @Override
        void arrived(Lease message) {
            take(message, 0);
            check(0);
            send(0);
            if (++iteration == step.iterations()) {
                handlers.stop();
            }
        }
    }

    private final class WindowSender extends Part {
        WindowSender(Step step) {
            super(step);
        }

        @Override
        void run() {
            clock.begin();
            do {
                for (int i = 0; i < step.window(); i++) {
                    send(slot(i));
                }
                handlers.serve();
                iteration++;
            } while (!clock.ended() && !hasFailed());
        }

        @Override
        void arrived(Lease answer) {
            handlers.stop();
        }
    }

    private final class WindowReceiver extends Part {
        private int inWindow;

        WindowReceiver(Step step) {
            super(step);
        }

        @Override
        void run() {
            handlers.serve();
        }

        @Override
        void arrived(Lease message) {
            take(message, slot(inWindow));
            if (++inWindow < step.window()) {
                return;
            }
            for (int i = 0; i < step.slots(); i++) {
                check(i);
            }
            inWindow = 0;
            iteration++;
            handlers.syncSend(0, ID, null);
            if (iteration == step.iterations()) {
                handlers.stop();
            }
        }
    }
}
