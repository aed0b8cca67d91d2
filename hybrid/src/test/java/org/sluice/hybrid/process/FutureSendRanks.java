package org.sluice.hybrid.process;

import java.util.concurrent.CompletableFuture;
import org.sluice.device.Device;
import org.sluice.device.Status;

/**
 * Program of {@code DumpProcessTest}: a future waits for a send that is received when the test says so, and one for a
 * receive.
 */
final class FutureSendRanks {
    private static final int LARGE = 40_000;

    private FutureSendRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            if (device.rank() == 0) {
                CompletableFuture<Status> send =
                        device.isend(new byte[LARGE], 1, 8).toFuture();
                CompletableFuture<Status> receive =
                        device.irecv(new byte[8], 1, 9).toFuture();
                send.join();
                receive.join();
            } else {
                Say.awaitTest("receive");
                device.recv(new byte[LARGE], 0, 8);
                Say.awaitTest("send");
                device.send(new byte[8], 0, 9);
            }
            Say.line("done");
        }
    }
}
