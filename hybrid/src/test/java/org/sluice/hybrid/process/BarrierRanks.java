package org.sluice.hybrid.process;

import org.sluice.device.Device;

/** The last rank comes to one barrier and no further; the others wait for it in the second. */
final class BarrierRanks {
    private static final long FOR_EVER_MS = 60_000;

    private BarrierRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            device.barrier();
            Say.line("ready");
            if (device.rank() == device.size() - 1) {
                Thread.sleep(FOR_EVER_MS);
            }
            Say.failure("first", device::barrier);
            Say.failure("second", device::barrier);
        }
    }
}
