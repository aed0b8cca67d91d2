package org.sluice.ib;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.device.channel.Channel;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.queue.Completions;

/** What a channel waits for before it closes. <i>Thread</i>: nobody else uses the channel. */
final class Draining {
    private static final long PAUSE_NANOS = 20_000;

    private Draining() {}

    /**
     * Waits until what was sent has arrived, for a bounded time: a peer that closes meanwhile needs it no more.
     *
     * @return what ended that, or null
     */
    static IllegalStateException of(Channel channel, Connection[] connections, long limitMillis) {
        Nobody nobody = new Nobody(connections);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            while (isBusy(connections) && System.nanoTime() - deadline < 0) {
                if (channel.poll(nobody, Completions.MOST) == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (IllegalStateException e) {
            // No more completions are to be had, so there is nothing to wait for; everything has to be given back all
            // the same.
            return e;
        }
        for (Connection connection : connections) {
            if (isBusy(connection)) {
                connection.runOut();
            }
        }
        return null;
    }

    /** Throws what {@link #of} returned, if anything. */
    static void tell(IllegalStateException failure) {
        if (failure != null) {
            throw failure;
        }
    }

    private static boolean isBusy(Connection[] connections) {
        for (Connection connection : connections) {
            if (isBusy(connection)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBusy(Connection connection) {
        return connection != null
                && connection.state() == ConnectionState.READY
                && !connection.sends().isRetired();
    }
}
