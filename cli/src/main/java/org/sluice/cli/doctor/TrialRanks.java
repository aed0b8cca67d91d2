package org.sluice.cli.doctor;

import org.sluice.device.Device;

/** Program of {@link JobTrial}: a message each way. */
final class TrialRanks {
    private TrialRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            device.barrier();
        }
    }
}
