package org.sluice.hybrid.process;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.sluice.device.Device;

/** The last rank sends long messages out of direct memory for ever; the first receives them into direct memory until that one is dead. */
final class ReadingRanks {
    private static final int BYTES = 4 << 20;
    private static final int TAG = 3;
    private static final long LATE_MS = 500;

    private ReadingRanks() {
    }

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
                while (true) {
                    device.send(from, 0, TAG);
                }
            } else if (device.rank() == 0) {
                receive(device, victim);
            } else {
                ByteBuffer echoed = ByteBuffer.allocateDirect(BYTES / 8);
                device.recv(echoed, 0, TAG);
                device.send(echoed, 0, TAG);
            }
        }
    }

    private static void receive(Device device, int victim) throws InterruptedException {
        ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
        device.recv(into, victim, TAG);
        Say.line("ready");
        Say.failure("receive", () -> {
            while (true) {
                device.recv(into, victim, TAG);
            }
        });
        // The buffer is this program's again.
        byte[] mark = new byte[BYTES];
        Arrays.fill(mark, (byte) 0x5A);
        into.put(0, mark);
        Thread.sleep(LATE_MS);
        Say.check(into.mismatch(ByteBuffer.wrap(mark)) < 0, "the buffer was written after its receive had failed");
        Say.check(device.counters().get("copied.bytes") < BYTES, "the bytes were copied");
        if (device.size() > 2) {
            ByteBuffer other = ByteBuffer.allocateDirect(BYTES / 8);
            device.send(other, 1, TAG);
            device.recv(other, 1, TAG);
        }
        Say.line("done");
    }
}
