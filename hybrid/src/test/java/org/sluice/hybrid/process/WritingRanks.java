package org.sluice.hybrid.process;

import java.nio.ByteBuffer;
import org.sluice.device.Device;

/**
 * The first rank sends long messages out of direct memory until the last, which receives them into direct memory for
 * ever, is dead.
 */
final class WritingRanks {
    private static final int BYTES = 4 << 20;
    private static final int TAG = 3;

    private WritingRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
                while (true) {
                    device.recv(into, 0, TAG);
                }
            } else if (device.rank() == 0) {
                send(device, victim);
            } else {
                ByteBuffer echoed = ByteBuffer.allocateDirect(BYTES / 8);
                device.recv(echoed, 0, TAG);
                device.send(echoed, 0, TAG);
            }
        }
    }

    private static void send(Device device, int victim) {
        ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
        device.send(from, victim, TAG);
        Say.line("ready");
        Say.failure("send", () -> {
            while (true) {
                device.send(from, victim, TAG);
            }
        });
        Say.check(device.counters().get("put.chunks") > 0, "nothing was written");
        Say.check(device.counters().get("streamed.chunks") == 0, "it was streamed");
        // The same memory goes to somebody else, and comes back.
        ByteBuffer part = from.slice(0, BYTES / 8);
        part.put(0, (byte) 7).put(BYTES / 8 - 1, (byte) 8);
        device.send(part, 1, TAG);
        ByteBuffer back = ByteBuffer.allocateDirect(BYTES / 8);
        device.recv(back, 1, TAG);
        Say.check(back.mismatch(part) < 0, "what came back is not what was sent");
        Say.line("done");
    }
}
