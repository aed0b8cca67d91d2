package org.sluice.bench.rank;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;

/**
 * Sluice through send and recv, of a program whose data are in arrays, and which copies them into a MessageBuffer and
 * out of one: what a buffering layer costs.
 */
final class PackingExchange extends DeviceExchange {
    private byte[] outgoing = {};
    private byte[] incoming = {};
    private ByteBuffer sent = ByteBuffer.wrap(outgoing);
    private ByteBuffer received = ByteBuffer.wrap(incoming);
    private int size;

    PackingExchange(Device device) {
        super(device, BufferKind.MESSAGE);
    }

    @Override
    public void prepare(Step step) {
        super.prepare(step);
        size = step.size();
        int needed = Math.max(Long.BYTES, size * step.slots());
        if (outgoing.length != needed) {
            outgoing = new byte[needed];
            incoming = new byte[needed];
            sent = ByteBuffer.wrap(outgoing).order(ByteOrder.nativeOrder());
            received = ByteBuffer.wrap(incoming).order(ByteOrder.nativeOrder());
        }
    }

    @Override
    public ByteBuffer outgoing() {
        return sent;
    }

    @Override
    public ByteBuffer incoming() {
        return received;
    }

    @Override
    public void post(int rank, int slot) {
        super.outgoing().put(slot * size, outgoing, slot * size, size);
        super.post(rank, slot);
    }

    @Override
    public void expect(int rank, int slot) {
        super.expect(rank, slot);
        super.incoming().get(slot * size, incoming, slot * size, size);
    }
}
