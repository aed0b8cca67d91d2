package org.sluice.tcp;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sluice.tcp.connect.Connection;

/**
 * Connections of a channel that has closed, to peers that had not taken what was sent before its time was up: as long
 * as this process lives it goes on, and what a peer sends is dropped.
 *
 * <p><i>Thread</i>: its own. <i>Owns</i>: these connections. <i>Proof</i>: {@code ConnectTest},
 * {@code TcpDeviceTest#aReceiveThatHasBegunEndsWhenItsSenderGivesUp}.
 */
final class Lingering implements Runnable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int BYTES = 64 << 10;
    private static final long STACK_BYTES = 128 << 10;

    private final List<Connection> connections;

    private Lingering(List<Connection> connections) {
        this.connections = connections;
    }

    static void of(List<Connection> slow) {
        // The memory of a program that has closed its device is not read any more.
        slow.removeIf(each -> {
            boolean isOfProgram = each.outbound().isDirect();
            if (isOfProgram) {
                each.close();
            }
            return isOfProgram;
        });
        if (!slow.isEmpty()) {
            Thread thread = new Thread(null, new Lingering(slow), "sluice-tcp-lingering", STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void run() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        ByteBuffer dropped = ByteBuffer.allocateDirect(BYTES);
        while (!connections.isEmpty()) {
            boolean isLate = System.nanoTime() - deadline >= 0;
            for (Iterator<Connection> each = connections.iterator(); each.hasNext(); ) {
                Connection connection = each.next();
                connection.outbound().push();
                if (!connection.outbound().isStuck()) {
                    connection.outbound().end();
                }
                if (isLate || !connection.drop(dropped)) {
                    connection.close();
                    each.remove();
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
