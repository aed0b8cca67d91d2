package org.sluice.ib;

import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.jni.Errno;

/**
 * Writes of no bytes to peers that were not heard of, so that one that is gone is found. <i>Thread</i>: under the
 * progress lock.
 */
final class SignsOfLife {
    private SignsOfLife() {}

    static void post(Connections connections, ControlPosts posts) {
        for (Connection connection : connections.all()) {
            if (connection != null
                    && connection.state() == ConnectionState.READY
                    && !connection.isKeepAlivePosted()
                    && (!connection.wasHeard() || connection.sends().isSilent())) {
                int result = posts.keepAlive(
                        connection.queuePair(),
                        connection.peer(),
                        connection.sends().postedLow());
                connection.keepAlivePosted(result == 0);
                if (result < 0) {
                    connections.fail(connection, false, Errno.describe("ibv_post_send", result));
                }
            }
        }
    }
}
