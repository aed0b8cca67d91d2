package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * The floor of bandwidth: one memcpy by one thread. Rank 0 copies, on the core of who receives; the other rank has
 * nothing to do.
 */
final class MemcpyExchange implements Exchange {
    private final Payloads payloads;
    private final boolean copies;
    private int size;

    MemcpyExchange(BufferKind kind, int rank) {
        payloads = new Payloads(kind, null);
        copies = rank == 0;
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

    /** The copy's target lies in rank 0, so there is nothing that rank 1 could check. */
    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        if (copies) {
            payloads.incoming().put(slot * size, payloads.outgoing(), slot * size, size);
        }
    }

    @Override
    public void expect(int rank, int slot) {
        // Nothing arrives.
    }

    @Override
    public void finish() {
        // Nothing is pending.
    }

    @Override
    public void acknowledge(int rank) {
        // Nothing to answer.
    }

    @Override
    public void awaitAcknowledge(int rank) {
        // Nothing to wait for.
    }

    @Override
    public void close() {
        payloads.close();
    }
}
