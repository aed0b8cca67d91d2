package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Request;

/**
 * The first rank sends small messages to the last, many at once, until that one is dead; then it exchanges messages
 * with the second.
 */
final class FloodingRanks {
    private static final int TAG = 3;
    private static final int WINDOW = 64;

    private FloodingRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                byte[] into = new byte[8];
                while (true) {
                    device.recv(into, 0, TAG);
                }
            } else if (device.rank() == 0) {
                flood(device, victim);
            } else {
                byte[] echoed = new byte[8];
                device.recv(echoed, 0, TAG);
                device.send(echoed, 0, TAG);
            }
        }
    }

    private static void flood(Device device, int victim) {
        sendWindow(device, victim);
        sendWindow(device, victim);
        Say.line("ready");
        Say.failure("send", () -> {
            while (true) {
                sendWindow(device, victim);
            }
        });
        long messages = device.counters().get("sent.eager");
        long requests = device.counters().get("work.requests");
        Say.check(
                requests < messages / 2,
                requests + " work requests for " + messages + " messages: nothing shared a packet");
        byte[] other = new byte[8];
        device.send(other, 1, TAG);
        device.recv(other, 1, TAG);
        Say.line("done");
    }

    private static void sendWindow(Device device, int to) {
        Request[] sends = new Request[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            sends[i] = device.isend(new byte[8], to, TAG);
        }
        device.waitAll(sends);
    }
}
