package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;

/**
 * Sluice among others: before each step both ranks gather a crowd of receives or messages, and after it they take it
 * away again.
 *
 * <p><i>Owns</i>: the exchange that carries the timed messages.
 */
final class CrowdExchange implements Exchange {
    /** Of the crowd; the timed messages have lower ones. */
    static final int FIRST_TAG = 1000;
    /** For messages that a receive of any tag must not take. */
    private static final int OTHER_CONTEXT = 1;

    private final Device device;
    private final Exchange exchange;
    private final int count;
    private Crowd crowd;
    private boolean anySource;

    /** @param count of the crowd; 0 for none, which is what it is compared with */
    CrowdExchange(Device device, Exchange exchange, int count) {
        this.device = device;
        this.exchange = exchange;
        this.count = count;
    }

    @Override
    public void prepare(Step step) {
        exchange.prepare(step);
        anySource = step.benchmark().anySource();
        if (count > 0) {
            crowd = crowd(step.benchmark());
            crowd.gather();
        }
    }

    private Crowd crowd(Benchmark benchmark) {
        int peer = 1 - device.rank();
        return benchmark == Benchmark.CROWD_POSTED
                ? new PostedCrowd(device, peer, count)
                : new UnexpectedCrowd(device, peer, benchmark.anyTag() ? OTHER_CONTEXT : Device.DEFAULT_CONTEXT, count);
    }

    @Override
    public void complete() {
        if (crowd != null) {
            crowd.disperse();
            crowd = null;
        }
    }

    @Override
    public ByteBuffer outgoing() {
        return exchange.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return exchange.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        exchange.post(rank, slot);
    }

    @Override
    public void expect(int rank, int slot) {
        exchange.expect(anySource ? Device.ANY_SOURCE : rank, slot);
    }

    @Override
    public void finish() {
        exchange.finish();
    }

    @Override
    public void acknowledge(int rank) {
        exchange.acknowledge(rank);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        exchange.awaitAcknowledge(rank);
    }

    @Override
    public void close() {
        exchange.close();
    }
}
