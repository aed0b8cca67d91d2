package org.sluice.tcp.connect;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Finds out that a peer's machine has vanished while something is on its way there. The kernel's keep-alives, which
 * tell that of a connection on which nothing is, are not sent then, and it sends again for a quarter of an hour. So
 * where nothing has come for half of the time, the peer's port is dialled once more: a machine answers that for itself,
 * although the rank may be stopped, and the new connection, on which nothing is ever sent, has keep-alives. Where it
 * was the peer that had dialled, the port is tried at once: a firewall may let nobody in there, and then nothing
 * follows from that nobody answers. It ends once what was written before has surely arrived.
 *
 * <p><i>Thread</i>: the helper. <i>Owns</i>: the second connection. <i>Proof</i>: {@code SilenceTest},
 * {@code BadDaysNodesTest}.
 */
final class Silence {
    private final Connection connection;
    private final long limitNanos;
    private final long keepAliveMs;

    private long heard;
    /**
     * What {@link org.sluice.tcp.stream.Outbound#written} said of what is there by now: nothing was written for as long
     * as the machine has answered. What a peer sends says nothing of it, as both may be under way at the same time.
     */
    private long arrived;
    /** The same, as it was when the machine began to answer. */
    private long asked = -1;

    private long askedNanos;
    private long sinceNanos;
    private long lookedNanos;
    private SocketChannel second;
    private boolean isTried;

    /** @param now since when the peer may be silent */
    Silence(Connection connection, long keepAliveMs, long now) {
        this.sinceNanos = now;
        this.lookedNanos = now;
        this.connection = connection;
        this.keepAliveMs = keepAliveMs;
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(keepAliveMs);
    }

    /**
     * Looks, a few times a second.
     *
     * @return whether the machine has not answered in time
     */
    boolean isTooLong(long now) {
        long pause = now - lookedNanos;
        lookedNanos = now;
        if (pause > limitNanos / 4) {
            // This process itself stood still: the peer is not silent for as long.
            sinceNanos += pause;
        }
        long heardNow = connection.inbound().heard();
        long writtenNow = connection.outbound().written();
        if (!connection.isReached) {
            connection.isReached = isTried && second != null && isAnswered();
            if (!isTried) {
                isTried = dial();
            }
            sinceNanos = now;
            return false;
        }
        if (heardNow != heard || writtenNow == arrived) {
            heard = heardNow;
            sinceNanos = now;
            end();
            return false;
        }
        if (now - sinceNanos < limitNanos / 2) {
            return false;
        }
        if (second == null && !dial()) {
            sinceNanos = now - limitNanos / 2;
            return false;
        }
        if (second == null || !isAnswered()) {
            asked = -1;
            return now - sinceNanos >= limitNanos;
        }
        sinceNanos = now - limitNanos / 2;
        if (asked != writtenNow) {
            asked = writtenNow;
            askedNanos = now;
        } else if (now - askedNanos >= limitNanos / 2) {
            arrived = writtenNow;
        }
        return false;
    }

    /** @return false where this process may open no more files: then nobody can be asked, and nothing follows */
    private boolean dial() {
        try {
            second = SocketChannel.open();
        } catch (IOException e) {
            return false;
        }
        try {
            Sockets.prepare(second, keepAliveMs / 2);
            second.connect(connection.remote());
        } catch (IOException e) {
            // As if it had not answered: it is dialled again.
            end();
        }
        return true;
    }

    private boolean isAnswered() {
        try {
            if (!second.finishConnect()) {
                return false;
            }
            // The end of it is an answer too, to one who never says who it is.
            if (second.read(java.nio.ByteBuffer.allocate(1)) < 0) {
                end();
            }
            return true;
        } catch (java.net.ConnectException e) {
            end();
            // Nobody listens there any more; the machine says so itself, unless it has not answered.
            return e.getMessage() != null && e.getMessage().contains("refused");
        } catch (IOException e) {
            end();
            return false;
        }
    }

    void end() {
        if (second != null) {
            Sockets.close(second);
            second = null;
        }
    }
}
