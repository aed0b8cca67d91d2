package org.sluice.hybrid.process;

import org.sluice.device.Device;

/**
 * Program of {@code DumpProcessTest}: sends are received, and receives served, when the test says so; each call of the
 * main threads waits until then.
 */
final class UnreceivedRanks {
    private static final int LARGE = 40_000;
    private static final int FIRST_RENDEZVOUS_TO_ITSELF = 4097;

    private UnreceivedRanks() {}

    public static void main(String[] args) throws InterruptedException {
        try (Device device = Device.open()) {
            if (device.size() == 1) {
                Thread receiver = new Thread(() -> {
                    Say.awaitTest("any");
                    device.recv(new byte[FIRST_RENDEZVOUS_TO_ITSELF], 0, 8);
                });
                receiver.start();
                device.send(new byte[FIRST_RENDEZVOUS_TO_ITSELF], 0, 8);
                receiver.join();
            } else if (device.rank() == 0) {
                Thread answers = new Thread(() -> {
                    Say.awaitTest("any");
                    device.send(new byte[8], 1, 6);
                    device.send(new byte[8], 1, 9);
                    Say.awaitTest("named");
                    device.send(new byte[8], 1, 7);
                    Say.awaitTest("end");
                    device.send(new byte[8], 1, 10);
                });
                answers.start();
                device.send(new byte[LARGE], 1, 8);
                Say.line("second send");
                device.send(new byte[LARGE], 1, 8);
                answers.join();
            } else {
                device.recv(new byte[8], Device.ANY_SOURCE, 9);
                device.recv(new byte[8], 0, 7);
                device.recv(new byte[LARGE], 0, 8);
                device.recv(new byte[8], 0, 10);
                device.recv(new byte[LARGE], 0, 8);
                device.recv(new byte[8], 0, 6);
            }
            Say.line("done");
        }
    }
}
