package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;

/**
 * The first rank sends eager messages out of message buffers until the last, which receives them for ever, is dead; and
 * reads a message of the dead one in place.
 */
final class LendingRanks {
    private static final int BYTES = 8 << 10;
    private static final int BUFFERS = 8;
    private static final int TAG = 3;

    private LendingRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                byte[] into = new byte[BYTES];
                device.send(new long[] {77}, 0, TAG);
                while (true) {
                    device.recv(into, 0, TAG);
                }
            } else if (device.rank() == 0) {
                send(device, victim);
            } else {
                device.recv(new byte[BYTES], 0, TAG);
            }
        }
    }

    private static void send(Device device, int victim) {
        Lease lease = device.recvInPlace(victim, TAG);
        Say.check(lease.inPlace(), "taken in place");
        MessageBuffer[] buffers = new MessageBuffer[BUFFERS];
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = device.allocate(BYTES);
            device.register(buffers[i]);
        }
        // Whoever is killed before one was lent shows nothing.
        do {
            sendAll(device, victim, buffers);
        } while (device.counters().get("lent") == 0);
        Say.line("ready");
        Say.failure("send", () -> {
            while (true) {
                sendAll(device, victim, buffers);
            }
        });
        Say.check(lease.getLong(0) == 77, "the dead peer's message is still there");
        lease.close();
        // Their requests have ended, all of them, so the buffers are the program's again.
        for (int i = 1; i < BUFFERS; i++) {
            buffers[i].close();
        }
        device.isend(buffers[0], 1, TAG).waitFor();
        Say.line("done");
    }

    private static void sendAll(Device device, int victim, MessageBuffer[] buffers) {
        Request[] sends = new Request[BUFFERS];
        for (int i = 0; i < BUFFERS; i++) {
            sends[i] = device.isend(buffers[i], victim, TAG);
        }
        device.waitAll(sends);
    }
}
