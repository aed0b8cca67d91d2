package org.sluice.ib.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * What the two ends of a new connection tell each other in the connection manager's private data, 48 bytes, big-endian.
 *
 * <pre>
 *    0  magic     4   "Slib"
 *    4  version   4
 *    8  from      4   rank of who sends this
 *   12  to        4   rank of whom it is for
 *   16  process   16  the sender's ProcessId
 *   32  secret    16  of the receiver, which only ranks of its job have seen
 * </pre>
 */
public record Greeting(int from, int to, UUID process, UUID secret) {
    public static final int BYTES = 48;
    public static final int VERSION = 9;

    private static final int MAGIC = 0x536c6962;

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.BIG_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putInt(from)
                .putInt(to)
                .putLong(process.getMostSignificantBits())
                .putLong(process.getLeastSignificantBits())
                .putLong(secret.getMostSignificantBits())
                .putLong(secret.getLeastSignificantBits())
                .array();
    }

    /**
     * @param data what came, which the connection manager may have padded
     * @return null when this is no greeting of this version
     */
    public static Greeting decode(byte[] data) {
        if (data.length < BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.BIG_ENDIAN);
        if (in.getInt() != MAGIC || in.getInt() != VERSION) {
            return null;
        }
        return new Greeting(
                in.getInt(), in.getInt(), new UUID(in.getLong(), in.getLong()), new UUID(in.getLong(), in.getLong()));
    }
}
