package org.sluice.ib.connect;

import java.util.concurrent.ConcurrentHashMap;
import org.jctools.maps.NonBlockingHashMapLong;
import org.sluice.device.memory.Memory;

/**
 * Connections by a number that the system gave. JCTools' map makes no objects of numbers, and needs
 * {@code sun.misc.Unsafe}; where that is refused a look-up may make one. <i>Thread</i>: any looks up, the rest is under
 * the connection lock. <i>Proof</i>: {@code SimulatedVerbsTest}.
 */
final class ConnectionTable {
    private final NonBlockingHashMapLong<Connection> byNumber =
            Memory.isUnsafe() ? new NonBlockingHashMapLong<>() : null;
    private final ConcurrentHashMap<Long, Connection> byObject = Memory.isUnsafe() ? null : new ConcurrentHashMap<>();

    Connection get(long number) {
        return Memory.isUnsafe() ? byNumber.get(number) : byObject.get(number);
    }

    void put(long number, Connection connection) {
        if (Memory.isUnsafe()) {
            byNumber.put(number, connection);
        } else {
            byObject.put(number, connection);
        }
    }

    void remove(long number) {
        if (Memory.isUnsafe()) {
            byNumber.remove(number);
        } else {
            byObject.remove(number);
        }
    }
}
