package org.sluice.hybrid.process;

import org.sluice.device.Device;

/**
 * The first rank exchanges short messages with the last, which both write into each other's landing rings, until that
 * one is dead; then it does so with the second. The argument says what the last does before it dies: it goes on
 * exchanging, or computes, and so never agrees that the first may sleep.
 */
final class LandingRanks {
    static final String EXCHANGES = "exchanges";
    static final String COMPUTES = "computes";

    private static final int TAG = 3;
    private static final int ROUNDS = 200;

    private LandingRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                answer(device, args[0].equals(EXCHANGES) ? Integer.MAX_VALUE : ROUNDS);
                compute();
            } else if (device.rank() == 0) {
                ask(device, victim, ROUNDS);
                Say.check(device.counters().get("landing.writes") > 0, "nothing was written to a landing ring");
                Say.line("ready");
                Say.failure("exchange", () -> ask(device, victim, Integer.MAX_VALUE));
                ask(device, 1, ROUNDS);
                Say.line("done");
            } else {
                answer(device, ROUNDS);
            }
        }
    }

    private static void answer(Device device, int rounds) {
        byte[] bytes = new byte[8];
        for (int i = 0; i < rounds; i++) {
            device.recv(bytes, 0, TAG);
            device.send(bytes, 0, TAG);
        }
    }

    private static void ask(Device device, int other, int rounds) {
        byte[] bytes = new byte[8];
        for (int i = 0; i < rounds; i++) {
            device.send(bytes, other, TAG);
            device.recv(bytes, other, TAG);
        }
    }

    private static void compute() {
        // Not a call of the device until it is killed.
        while (true) {
            Thread.onSpinWait();
        }
    }
}
