package org.sluice.bench.rank;

import org.sluice.bench.plan.Step;

/**
 * Runs the steps of one rank over an exchange. Rank 0 times: one clock read a batch, so that the clock's own cost is
 * spread over the batch.
 *
 * <p><i>Thread</i>: the rank's. <i>Owns</i>: the exchange.
 */
final class StepRunner implements Steps {
    static final long[] NOTHING = {};

    private final Exchange exchange;
    private final Content content = new Content();
    private final int rank;
    private final int ranks;

    StepRunner(Exchange exchange, int rank, int ranks) {
        this.exchange = exchange;
        this.rank = rank;
        this.ranks = ranks;
    }

    @Override
    public long[] run(Step step) {
        exchange.prepare(step);
        Part part = part(step);
        long[] samples = NOTHING;
        if (rank == 0) {
            samples = time(part, step);
        } else {
            follow(part, step);
        }
        exchange.complete();
        return samples;
    }

    @Override
    public void close() {
        exchange.close();
    }

    private long[] time(Part part, Step step) {
        long[] samples = new long[step.batches()];
        int iteration = 0;
        for (; iteration < step.leadIn(); iteration++) {
            part.once(iteration);
        }
        long start = content.now(step);
        for (int batch = 0; batch < samples.length; batch++) {
            for (int i = 0; i < step.batch(); i++) {
                part.once(iteration++);
            }
            long end = content.now(step);
            samples[batch] = end - start;
            start = end;
        }
        return samples;
    }

    private static void follow(Part part, Step step) {
        int iterations = step.iterations();
        for (int iteration = 0; iteration < iterations; iteration++) {
            part.once(iteration);
        }
    }

    private Part part(Step step) {
        if (step.benchmark().pingPong()) {
            return rank == 0 ? new Ping(step) : new Pong(step);
        }
        switch (step.benchmark()) {
            case BANDWIDTH:
            case RATE:
                return rank == 0 ? new WindowSender(step) : new WindowReceiver(step);
            case BIBANDWIDTH:
                return new BothWays(step);
            default:
                return new Ring(step);
        }
    }

    /** One rank's part in an iteration. */
    private abstract class Part {
        final Step step;
        final boolean plain;

        Part(Step step) {
            this.step = step;
            plain = step.leavesBuffersAlone();
        }

        abstract void once(int iteration);

        final void fill(int iteration, int slot) {
            if (!plain) {
                content.fill(step, exchange.outgoing(), slot, iteration, slot, rank);
            }
        }

        final void check(int iteration, int slot, int source) {
            if (!plain) {
                content.look(step, exchange.incoming(), slot, iteration, slot, source);
            }
        }

        final int slot(int message) {
            return plain ? 0 : message;
        }
    }

    private final class Ping extends Part {
        Ping(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            fill(iteration, 0);
            exchange.post(1, 0);
            exchange.finish();
            exchange.expect(1, 0);
            exchange.finish();
            check(iteration, 0, 1);
        }
    }

    private final class Pong extends Part {
        Pong(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            exchange.expect(0, 0);
            exchange.finish();
            check(iteration, 0, 0);
            fill(iteration, 0);
            exchange.post(0, 0);
            exchange.finish();
        }
    }

    private final class WindowSender extends Part {
        WindowSender(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            for (int i = 0; i < step.window(); i++) {
                fill(iteration, slot(i));
                exchange.post(1, slot(i));
            }
            exchange.finish();
            exchange.awaitAcknowledge(1);
        }
    }

    private final class WindowReceiver extends Part {
        WindowReceiver(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            for (int i = 0; i < step.window(); i++) {
                exchange.expect(0, slot(i));
            }
            exchange.finish();
            for (int i = 0; i < step.slots(); i++) {
                check(iteration, i, 0);
            }
            exchange.acknowledge(0);
        }
    }

    private final class BothWays extends Part {
        BothWays(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            int other = 1 - rank;
            for (int i = 0; i < step.window(); i++) {
                exchange.expect(other, slot(i));
            }
            for (int i = 0; i < step.window(); i++) {
                fill(iteration, slot(i));
                exchange.post(other, slot(i));
            }
            exchange.finish();
            for (int i = 0; i < step.slots(); i++) {
                check(iteration, i, other);
            }
            // The two answers keep either side from running ahead into the next window.
            if (rank == 0) {
                exchange.acknowledge(other);
                exchange.awaitAcknowledge(other);
            } else {
                exchange.awaitAcknowledge(other);
                exchange.acknowledge(other);
            }
        }
    }

    /** Slot 0 comes from and goes to the left, slot 1 the right; with two ranks both neighbours are the same one. */
    private final class Ring extends Part {
        private final int left = (rank + ranks - 1) % ranks;
        private final int right = (rank + 1) % ranks;

        Ring(Step step) {
            super(step);
        }

        @Override
        void once(int iteration) {
            exchange.expect(left, 0);
            exchange.expect(right, 1);
            fill(iteration, 0);
            fill(iteration, 1);
            // To the right first: with two ranks what is sent first is received first, from "the left".
            exchange.post(right, 1);
            exchange.post(left, 0);
            exchange.finish();
            if (step.verify()) {
                content.check(exchange.incoming(), step.size(), iteration, 0, 1, left);
                content.check(exchange.incoming(), step.size(), iteration, 1, 0, right);
            }
        }
    }
}
