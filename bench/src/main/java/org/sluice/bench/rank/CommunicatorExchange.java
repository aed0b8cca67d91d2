package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.device.Device;
import org.sluice.device.Status;
import org.sluice.mpi.Communicator;

/** Sluice through send and recv of the communicator of all ranks. */
final class CommunicatorExchange extends DeviceExchange {
    private final Communicator world;

    CommunicatorExchange(Device device, BufferKind kind) {
        super(device, kind);
        world = Communicator.world(device);
    }

    @Override
    void send(Object buffer, long offset, int count, int rank, int toTag) {
        world.send(buffer, offset, count, rank, toTag);
    }

    @Override
    void receive(Object buffer, long offset, int count, int rank, int ofTag, Status into) {
        world.recv(buffer, offset, count, rank, ofTag, into);
    }
}
