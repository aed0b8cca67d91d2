package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;
import org.sluice.device.PersistentRoute;

/** Sluice through send on a persistent route to each rank, and recv. */
final class RouteExchange extends DeviceExchange {
    /** Enough where each message is answered. */
    private static final int SLOTS = 2;

    private static final int SLOTS_OF_A_WINDOW = 16;

    private final Device device;
    private final PersistentRoute[] routes;
    private int slots = SLOTS;

    RouteExchange(Device device, BufferKind kind) {
        super(device, kind);
        this.device = device;
        this.routes = new PersistentRoute[device.size()];
    }

    @Override
    public void prepare(Step step) {
        super.prepare(step);
        slots = step.benchmark().windowed() ? SLOTS_OF_A_WINDOW : SLOTS;
    }

    @Override
    void send(Object buffer, long offset, int count, int rank, int toTag) {
        if (toTag != DATA_TAG) {
            super.send(buffer, offset, count, rank, toTag);
            return;
        }
        PersistentRoute route = routes[rank];
        if (route == null || route.maxBytes() < count) {
            route = open(rank, count);
        }
        route.send(buffer, offset, count);
    }

    private PersistentRoute open(int rank, int bytes) {
        if (routes[rank] != null) {
            routes[rank].close();
        }
        routes[rank] = device.openRoute(rank, DATA_TAG, Device.DEFAULT_CONTEXT, Math.max(1, bytes), slots);
        return routes[rank];
    }
}
