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
 * follows from that nobody answers.
 *
 * <p><i>Thread</i>: the helper. <i>Owns</i>: the second connection. <i>Proof</i>: {@code SilenceTest}.
 */
final class Silence {
    private final Connection connection;
    private final long limitNanos;
    private final long keepAliveMs;

    private long heard;
    private long written;
    private long sinceNanos;
    private SocketChannel second;
    private boolean isTried;

    Silence(Connection connection, long keepAliveMs) {
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
        long heardNow = connection.inbound().heard();
        long writtenNow = connection.outbound().written();
        if (!connection.isReached) {
            connection.isReached = isTried && second != null && isAnswered();
            if (!isTried) {
                isTried = true;
                dial();
            }
            sinceNanos = now;
            return false;
        }
        if (heardNow != heard || writtenNow == written) {
            written = heardNow != heard ? writtenNow : written;
            heard = heardNow;
            sinceNanos = now;
            end();
            return false;
        }
        if (now - sinceNanos < limitNanos / 2) {
            return false;
        }
        if (second == null) {
            dial();
        }
        if (second != null && isAnswered()) {
            sinceNanos = now - limitNanos / 2;
            return false;
        }
        return now - sinceNanos >= limitNanos;
    }

    private void dial() {
        try {
            second = SocketChannel.open();
            Sockets.prepare(second, keepAliveMs / 2);
            second.connect(connection.remote());
        } catch (IOException e) {
            // As if it had not answered: it is dialled again.
            end();
        }
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
