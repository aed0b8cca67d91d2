package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Request;

/**
 * Program of {@code DumpProcessTest} and {@code ManagementProcessTest}: rank 1 waits for what rank 0 sends only when
 * the test says so, with an argument in a barrier.
 */
final class StuckRanks {
    private static final int TAG = 7;
    private static final int UNWANTED = 6;
    private static final int LARGE = 1 << 20;

    private StuckRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            if (args.length > 0) {
                if (device.rank() == 0) {
                    Say.awaitTest("send");
                }
                device.barrier();
            } else if (device.rank() == 0) {
                device.send(new byte[16], 1, UNWANTED);
                Request large = device.isend(new byte[LARGE], 1, UNWANTED + 2);
                Say.line("sent");
                Say.awaitTest("send");
                device.send(new byte[8], 1, TAG);
                large.waitFor();
            } else {
                Say.line("waiting");
                device.recv(new byte[8], 0, TAG);
                device.recv(new byte[16], 0, UNWANTED);
                device.recv(new byte[LARGE], 0, UNWANTED + 2);
            }
            Say.line("done");
        }
    }
}
