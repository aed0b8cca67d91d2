package org.sluice.ib;

import java.util.List;
import org.sluice.device.channel.ChannelListener;
import org.sluice.ib.connect.Connection;
import org.sluice.ib.connect.Connections;

/** Tells of peers whose connection is over. <i>Thread</i>: under the progress lock. */
final class DeathNotices {
    private DeathNotices() {}

    /** Only when nothing of theirs can be in the completion queue any more: what a peer had sent comes first. */
    static void give(Connections connections, RemoteMemory remote, ChannelListener listener) {
        List<Connection> dead = connections.dead();
        for (int i = dead.size() - 1; i >= 0; i = Math.min(i, dead.size()) - 1) {
            Connection connection = dead.get(i);
            if (!remote.isFlushing(connection)) {
                dead.remove(i);
                String reason = connection.reason();
                connections.over(connection);
                if (connection.isClosedUnmet()) {
                    listener.onPeerClosed(connection.peer());
                } else {
                    listener.onPeerFailed(connection.peer(), connection.isCorrupt(), reason);
                }
            }
        }
    }
}
