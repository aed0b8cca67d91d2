package org.sluice.ib.sim;

import java.util.Iterator;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.Objects.Event;
import org.sluice.ib.sim.Objects.EventChannel;
import org.sluice.ib.sim.Objects.Identifier;
import org.sluice.ib.sim.Objects.QueuePair;
import org.sluice.jni.verbs.VerbsLayout;

/** The connection manager between the identifiers of one JVM; what it has to tell waits in event channels. */
final class Manager {
    private static final int NOBODY_LISTENS = 8;
    private static final int REFUSED = 28;
    private static final byte[] NONE = {};

    private final Objects objects;
    private final Wire wire;
    private int lastPort = 40_000;

    Manager(Objects objects, Wire wire) {
        this.objects = objects;
        this.wire = wire;
    }

    Identifier make(EventChannel channel) {
        Identifier made = new Identifier();
        made.channel = channel;
        channel.users++;
        made.handle = objects.add(made);
        return made;
    }

    void bind(Identifier id) {
        id.isBound = true;
        id.port = ++lastPort;
    }

    int port(Identifier id) {
        return id.port;
    }

    void tell(Identifier id, int kind, int status, byte[] data) {
        if (id != null && !id.isGone) {
            id.channel.events.add(new Event(kind, status, id, data == null ? NONE : data.clone()));
        }
    }

    void resolve(Identifier id, int port) {
        id.isBound = true;
        id.port = port;
        tell(id, VerbsLayout.ADDRESS_RESOLVED, 0, null);
    }

    void route(Identifier id) {
        id.hasRoute = true;
        tell(id, VerbsLayout.ROUTE_RESOLVED, 0, null);
    }

    void connect(Identifier id, byte[] data) {
        Identifier listener = objects.find(Identifier.class, each -> each.listens && each.port == id.port);
        if (listener == null) {
            tell(id, VerbsLayout.REJECTED, NOBODY_LISTENS, null);
            return;
        }
        Identifier child = make(listener.channel);
        child.isBound = true;
        child.isRequest = true;
        child.peer = id;
        id.peer = child;
        listener.channel.events.add(new Event(VerbsLayout.CONNECT_REQUEST, 0, child, data.clone()));
    }

    void accept(Identifier id, byte[] data) {
        id.isAnswered = true;
        Identifier other = id.peer;
        if (other == null || other.isGone || other.queuePair == null || id.queuePair == null) {
            tell(id, VerbsLayout.CONNECT_ERROR, 0, null);
            return;
        }
        join(id.queuePair, other.queuePair);
        join(other.queuePair, id.queuePair);
        id.isEstablished = true;
        other.isEstablished = true;
        tell(other, VerbsLayout.ESTABLISHED, 0, data);
        tell(id, VerbsLayout.ESTABLISHED, 0, null);
        wire.runAll();
    }

    private static void join(QueuePair one, QueuePair other) {
        one.peer = other;
        one.isConnected = true;
    }

    void reject(Identifier id, byte[] data) {
        id.isAnswered = true;
        tell(id.peer, VerbsLayout.REJECTED, REFUSED, data);
    }

    void disconnect(Identifier id) {
        if (id.queuePair != null) {
            wire.fail(id.queuePair);
        }
        tell(id, VerbsLayout.DISCONNECTED, 0, null);
        tell(id.peer, VerbsLayout.DISCONNECTED, 0, null);
    }

    void destroy(Identifier id) {
        objects.remove(id.handle);
        id.channel.users--;
        id.isGone = true;
        for (Iterator<Event> all = id.channel.events.iterator(); all.hasNext(); ) {
            Event each = all.next();
            if (each.of() == id) {
                all.remove();
            } else if (id.listens && each.kind() == VerbsLayout.CONNECT_REQUEST) {
                // Nobody will answer it, nor knows of its identifier.
                all.remove();
                objects.remove(each.of().handle);
                each.of().channel.users--;
                each.of().isGone = true;
                tell(each.of().peer, VerbsLayout.REJECTED, NOBODY_LISTENS, null);
            }
        }
        if (id.isEstablished) {
            tell(id.peer, VerbsLayout.DISCONNECTED, 0, null);
        } else if (id.isRequest && !id.isAnswered) {
            tell(id.peer, VerbsLayout.REJECTED, REFUSED, null);
        }
    }

    /** The kernel tells each identifier that is of the device. */
    void removed() {
        objects.all(Identifier.class).stream()
                .filter(each -> each.isBound)
                .forEach(each -> tell(each, VerbsLayout.DEVICE_REMOVAL, 0, null));
    }

    /**
     * Writes the next event as {@link VerbsLayout} draws it.
     *
     * @return how many there were, at most one
     */
    int next(EventChannel channel, long at) {
        Event event = channel.events.poll();
        if (event == null) {
            return 0;
        }
        Memory.setZero(at, VerbsLayout.EVENT_BYTES);
        Memory.putInt(at + VerbsLayout.EVENT_KIND, event.kind());
        Memory.putInt(at + VerbsLayout.EVENT_STATUS, event.status());
        Memory.putLong(at + VerbsLayout.EVENT_ID, event.of().handle);
        Memory.putInt(at + VerbsLayout.EVENT_PRIVATE_BYTES, event.data().length);
        Memory.copy(
                event.data(),
                Memory.arrayOffset(event.data()),
                null,
                at + VerbsLayout.EVENT_PRIVATE_DATA,
                event.data().length);
        return 1;
    }
}
