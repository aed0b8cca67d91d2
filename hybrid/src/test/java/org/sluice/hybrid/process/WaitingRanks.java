package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Request;

/** Program of {@link WaitingProcessTest}: rank 1 waits for a message; or all ranks exchange with both neighbours. */
final class WaitingRanks {
    private static final int TAG = 1;
    private static final int ROUNDS = 500;
    private static final int[] SIZES = {1, 1000, 50_000};

    private WaitingRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            if (args[0].equals("ring")) {
                ring(device);
            } else if (device.rank() == 0) {
                Say.line("sleeping");
                Say.awaitTest("send");
                device.send(new byte[8], 1, TAG);
            } else {
                Say.line("waiting");
                device.recv(new byte[8], 0, TAG);
            }
        }
    }

    private static void ring(Device device) {
        int right = (device.rank() + 1) % device.size();
        int left = (device.rank() + device.size() - 1) % device.size();
        device.barrier();
        for (int size : SIZES) {
            long start = System.nanoTime();
            byte[] out = new byte[size];
            byte[] in = new byte[size];
            for (int round = 0; round < ROUNDS; round++) {
                Request receive = device.irecv(in, left, TAG);
                out[size - 1] = (byte) (round + device.rank());
                device.send(out, right, TAG);
                receive.waitFor();
                Say.check(in[size - 1] == (byte) (round + left), "round " + round);
            }
            Say.line(size + " bytes: " + (System.nanoTime() - start) / ROUNDS / 1000 + " us a round");
        }
        Say.line("exchanged");
    }
}
