package org.sluice.hybrid.process;

import java.nio.ByteBuffer;
import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;

/**
 * Opens and closes a device again and again. Each time rank 0 sends a large message buffer, which it keeps beyond the
 * close; rank 1 keeps its lease, and a view of that.
 */
final class ReopeningRanks {
    static final int ROUNDS = 200;
    private static final int BYTES = 4 << 20;
    private static final long LAST = BYTES - Long.BYTES;
    private static final int TAG = 1;

    private ReopeningRanks() {}

    public static void main(String[] args) {
        run(-1, Map.of());
    }

    /** @param rank -1: what the JVM's properties say */
    static void run(int rank, Map<String, String> options) {
        MessageBuffer kept = null;
        for (int round = 0; round < ROUNDS; round++) {
            MessageBuffer buffer;
            ByteBuffer view = null;
            try (Device device = rank < 0 ? Device.open() : Device.open(rank, options)) {
                buffer = device.allocate(BYTES);
                buffer.putLong(LAST, round);
                if (device.rank() == 0) {
                    device.isend(buffer, 1, TAG);
                } else {
                    Lease lease = device.recvInPlace(0, TAG);
                    view = lease.buffer();
                    Say.check(
                            lease.getLong(LAST) == round && view.getLong((int) LAST) == round,
                            "content of round " + round);
                }
            }
            if (kept != null) {
                Say.check(kept.getLong(LAST) == round - 1, "a buffer that outlives its device");
                kept.close();
            }
            kept = buffer;
            if (view != null) {
                // Whatever stands there now, it can be read.
                view.getLong((int) LAST);
            }
        }
    }
}
