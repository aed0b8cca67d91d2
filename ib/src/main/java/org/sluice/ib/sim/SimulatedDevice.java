package org.sluice.ib.sim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.sluice.ib.sim.Objects.Bell;
import org.sluice.ib.sim.Objects.Channel;
import org.sluice.ib.sim.Objects.Context;
import org.sluice.ib.sim.Objects.EventChannel;
import org.sluice.ib.sim.Objects.Identifier;
import org.sluice.jni.verbs.VerbsCalls;

/** What the simulated device is, its connection manager's calls, and how one waits for either. */
abstract class SimulatedDevice implements VerbsCalls {
    private static final String NAME = "simulated0";
    private static final int ENODEV = 19;
    private static final int PORTS = 1;
    private static final int MTU_BYTES = 4096;
    private static final int DEFAULT_PKEY = 0xFFFF;

    final Objects objects = new Objects();
    final Context context = new Context();
    final Wire wire = new Wire(objects, context);
    private final Manager manager = new Manager(objects, wire);
    private final long handle = objects.add(context);

    /** As {@link #queryDevice} writes them; what goes beyond is refused. */
    final long[] limits = new long[DEVICE_FIELDS];

    SimulatedDevice() {
        Arrays.fill(limits, 1 << 16);
        limits[DEVICE_MAX_MR] = 1 << 17;
        limits[DEVICE_MAX_MR_SIZE] = Long.MAX_VALUE;
        limits[DEVICE_MAX_QP_RD_ATOM] = 16;
        limits[DEVICE_MAX_QP_INIT_RD_ATOM] = 16;
        limits[DEVICE_MAX_SGE] = 32;
        limits[DEVICE_PORTS] = PORTS;
        context.descriptor = objects.describe(context);
    }

    /** @param users what still needs it */
    final int remove(Object found, long of, int users) {
        if (found == null) {
            return -Objects.EINVAL;
        }
        if (users > 0) {
            return -Objects.EBUSY;
        }
        objects.remove(of);
        return 0;
    }

    @Override
    public final int deviceNames(byte[] out) {
        byte[] name = (NAME + '\0').getBytes(StandardCharsets.UTF_8);
        System.arraycopy(name, 0, out, 0, name.length);
        return name.length;
    }

    @Override
    public final long openDevice(byte[] name) {
        return -ENODEV;
    }

    @Override
    public final int closeDevice(long of) {
        return -Objects.EINVAL;
    }

    @Override
    public final int queryDevice(long of, long[] out) {
        System.arraycopy(limits, 0, out, 0, limits.length);
        return 0;
    }

    @Override
    public final int queryPort(long of, int port, long[] out) {
        out[PORT_STATE] = PORT_STATE_ACTIVE;
        out[PORT_MAX_MTU_BYTES] = MTU_BYTES;
        out[PORT_ACTIVE_MTU_BYTES] = MTU_BYTES;
        out[PORT_LINK_LAYER] = LINK_LAYER_ETHERNET;
        out[PORT_GIDS] = 1;
        out[PORT_MAX_MESSAGE_BYTES] = context.mostMessageBytes;
        return 0;
    }

    @Override
    public final int queryGid(long of, int port, int index, long[] out) {
        out[GID_TYPE] = GID_TYPE_ROCE_V2;
        return 0;
    }

    @Override
    public final int queryPkey(long of, int port, int index) {
        return DEFAULT_PKEY;
    }

    @Override
    public final int deviceName(long of, byte[] out) {
        byte[] name = NAME.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(name, 0, out, 0, name.length);
        return name.length;
    }

    @Override
    public final synchronized long createEventChannel() {
        EventChannel made = new EventChannel();
        made.descriptor = objects.describe(made);
        return objects.add(made);
    }

    @Override
    public final synchronized int destroyEventChannel(long channel) {
        EventChannel found = objects.get(EventChannel.class, channel);
        if (found != null && found.users > 0) {
            objects.wrong("an event channel is destroyed before " + found.users + " identifiers");
        }
        if (found != null) {
            objects.close(found.descriptor);
        }
        return remove(found, channel, 0);
    }

    @Override
    public final synchronized int eventChannelFd(long channel) {
        EventChannel found = objects.get(EventChannel.class, channel);
        return found == null ? -Objects.EINVAL : found.descriptor;
    }

    @Override
    public final synchronized long createId(long eventChannel) {
        EventChannel channel = objects.get(EventChannel.class, eventChannel);
        return channel == null ? -Objects.EINVAL : manager.make(channel).handle;
    }

    @Override
    public final synchronized int destroyId(long id) {
        Identifier found = objects.get(Identifier.class, id);
        if (found == null) {
            return -Objects.EINVAL;
        }
        if (found.queuePair != null) {
            objects.wrong("an identifier is destroyed before its queue pair");
        }
        manager.destroy(found);
        notifyAll();
        return 0;
    }

    @Override
    public final synchronized int bind(long id, byte[] address, int port) {
        manager.bind(objects.get(Identifier.class, id));
        return 0;
    }

    @Override
    public final synchronized int listen(long id, int backlog) {
        objects.get(Identifier.class, id).listens = true;
        return 0;
    }

    @Override
    public final synchronized int localPort(long id) {
        return objects.get(Identifier.class, id).port;
    }

    @Override
    public final synchronized long cmContext(long id) {
        return objects.get(Identifier.class, id).isBound ? handle : 0;
    }

    @Override
    public final int cmPort(long id) {
        return PORTS;
    }

    @Override
    public final int cmGid(long id, long[] out) {
        out[CM_GID_PKEY] = DEFAULT_PKEY;
        return 0;
    }

    /** What the connection manager does with an identifier that exists. */
    private interface Doing {
        void to(Identifier id);
    }

    private int with(long id, Doing what) {
        Identifier found = objects.get(Identifier.class, id);
        if (found == null) {
            return -Objects.EINVAL;
        }
        what.to(found);
        notifyAll();
        return 0;
    }

    @Override
    public final synchronized int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs) {
        return with(id, found -> manager.resolve(found, port));
    }

    @Override
    public final synchronized int resolveRoute(long id, int timeoutMs) {
        return with(id, manager::route);
    }

    @Override
    public final synchronized int copyRoute(long from, long to, int mtuBytes, int serviceLevel) {
        Identifier known = objects.get(Identifier.class, from);
        if (known == null || !known.hasRoute) {
            objects.wrong("a route is copied that is not resolved");
        }
        return with(to, manager::route);
    }

    @Override
    public final int setTypeOfService(long id, int value) {
        return 0;
    }

    @Override
    public final int setAckTimeout(long id, int value) {
        return 0;
    }

    @Override
    public final synchronized int connect(long id, long[] parameters, byte[] privateData) {
        return with(id, found -> manager.connect(found, privateData));
    }

    @Override
    public final synchronized int accept(long id, long[] parameters, byte[] privateData) {
        return with(id, found -> manager.accept(found, privateData));
    }

    @Override
    public final synchronized int reject(long id, byte[] privateData) {
        return with(id, found -> manager.reject(found, privateData));
    }

    @Override
    public final int tellEstablished(long id) {
        return 0;
    }

    /** Somebody takes the device away: the connection manager tells whoever uses it. */
    public final synchronized void remove() {
        manager.removed();
        notifyAll();
    }

    @Override
    public final synchronized int disconnect(long id) {
        return with(id, manager::disconnect);
    }

    @Override
    public final synchronized int connectionEvent(long eventChannel, long address) {
        EventChannel channel = objects.get(EventChannel.class, eventChannel);
        return channel == null ? -Objects.EINVAL : manager.next(channel, address);
    }

    @Override
    public final synchronized int asyncFd(long of) {
        return context.descriptor;
    }

    @Override
    public final synchronized int asyncEvent(long of, long[] out) {
        long[] event = context.events.poll();
        if (event == null) {
            return 0;
        }
        System.arraycopy(event, 0, out, 0, ASYNC_FIELDS);
        return 1;
    }

    @Override
    public final synchronized int createBell() {
        return objects.describe(new Bell());
    }

    @Override
    public final synchronized int ring(int bell) {
        return bell(bell, true);
    }

    @Override
    public final synchronized int hush(int bell) {
        return bell(bell, false);
    }

    private int bell(int bell, boolean isRung) {
        if (!(objects.ofDescriptor(bell) instanceof Bell found)) {
            objects.wrong("bell " + bell + " is none");
            return -Objects.EINVAL;
        }
        found.isRung = isRung;
        notifyAll();
        return 0;
    }

    @Override
    public final synchronized int closeBell(int bell) {
        objects.close(bell);
        return 0;
    }

    @Override
    public final synchronized int waitReady(int[] descriptors, int timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            int ready = 0;
            for (int i = 0; i < descriptors.length; i++) {
                ready |= isReady(descriptors[i]) ? 1 << i : 0;
            }
            long left = deadline - System.nanoTime();
            if (ready != 0 || left <= 0) {
                return ready;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
    }

    private boolean isReady(int descriptor) {
        Object of = objects.ofDescriptor(descriptor);
        if (of == null) {
            objects.wrong("somebody waits for descriptor " + descriptor + ", which is none");
        }
        return of instanceof Bell bell && bell.isRung
                || of instanceof Channel channel && channel.events > 0
                || of instanceof EventChannel channel && !channel.events.isEmpty()
                || of instanceof Context && !context.events.isEmpty();
    }

    @Override
    public final long lockedMemoryLimit() {
        return Long.MAX_VALUE;
    }
}
