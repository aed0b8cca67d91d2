package org.sluice.hybrid.process;

import org.sluice.device.Device;

/** Program of {@code FlightRecorderProcessTest}: rank 0 sends when the test says so, and dies the third time; rank 1 receives. */
final class RecordedRanks {
    private static final int TAG = 7;
    private static final int SENDS = 2;

    private RecordedRanks() {
    }

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            for (int i = 0; i < SENDS; i++) {
                if (device.rank() == 0) {
                    Say.awaitTest("send");
                    device.send(new byte[8], 1, TAG);
                } else {
                    device.recv(new byte[8], 0, TAG);
                    Say.line("received " + i);
                }
            }
            if (device.rank() == 0) {
                Say.awaitTest("die");
                Runtime.getRuntime().halt(1);
            }
            Say.failure("recv", () -> device.recv(new byte[8], 0, TAG));
            Say.awaitTest("end");
        }
    }
}
