package org.sluice.ib;

import java.util.concurrent.CopyOnWriteArrayList;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.Connections;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The asynchronous events of a rank's device. Ranks of one JVM share the context that librdmacm opened, and with it the
 * events: whichever rank takes one hands it to all, and each looks whether it is concerned.
 *
 * <p><i>Thread</i>: the helpers'. <i>Owns</i>: its place among the ranks of this JVM, until {@link #close}.
 * <i>Proof</i>: {@code ConnectRxeTest}.
 */
final class AsyncEvents implements AutoCloseable {
    private static final CopyOnWriteArrayList<AsyncEvents> RANKS = new CopyOnWriteArrayList<>();

    private final VerbsCalls verbs;
    private final long context;
    private final int port;
    private final Resources resources;
    private final Connections connections;
    private final Counters counters;

    /** @param port of the device that this rank uses */
    AsyncEvents(
            VerbsCalls verbs, long context, int port, Resources resources, Connections connections, Counters counters) {
        this.counters = counters;
        this.port = port;
        this.verbs = verbs;
        this.context = context;
        this.resources = resources;
        this.connections = connections;
        RANKS.add(this);
    }

    /** Takes all that wait. Not under a connection lock: it takes those of all ranks, one after the other. */
    void drain() {
        long[] event = new long[VerbsCalls.ASYNC_FIELDS];
        int result;
        while ((result = verbs.asyncEvent(context, event)) == 1) {
            tell(context, event[VerbsCalls.ASYNC_KIND], event[VerbsCalls.ASYNC_NUMBER]);
        }
        if (result < 0) {
            throw new IllegalStateException(Errno.describe("ibv_get_async_event", result));
        }
    }

    static void tell(long context, long kind, long number) {
        for (AsyncEvents each : RANKS) {
            if (each.context == context) {
                each.take(AsyncKind.of(kind), number);
            }
        }
    }

    /** @param number of the queue pair or port, or handle of the queue, that it concerns */
    private void take(AsyncKind kind, long number) {
        if (kind == AsyncKind.SRQ_LIMIT_REACHED) {
            if (number == resources.receiveSlots().queue()) {
                growSlots();
            }
        } else if (kind == AsyncKind.COMM_EST) {
            Connection connection = connections.ofQueuePair(number);
            if (connection != null) {
                connections.heard(connection, number);
            }
        } else if (kind.endsQueuePair()) {
            Connection connection = connections.ofQueuePair(number);
            if (connection != null) {
                connections.fail(connection, false, "the RDMA device reports: " + kind.text());
            }
        } else if ((kind == AsyncKind.PORT_ERR || kind == AsyncKind.PORT_ACTIVE) && number == port) {
            connections.portIsDown(kind == AsyncKind.PORT_ERR);
        } else if (kind == AsyncKind.DEVICE_FATAL
                || kind == AsyncKind.CQ_ERR && number == resources.completionQueue()
                || kind == AsyncKind.SRQ_ERR
                        && number == resources.receiveSlots().queue()) {
            connections.failAll("the RDMA device of this rank reports: " + kind.text());
        }
    }

    private void growSlots() {
        int added = connections.addSlots();
        synchronized (counters) {
            counters.increment(Counter.RECEIVE_SLOTS_LOW);
            counters.add(Counter.RECEIVE_SLOTS_ADDED, added);
        }
    }

    @Override
    public void close() {
        RANKS.remove(this);
    }
}
