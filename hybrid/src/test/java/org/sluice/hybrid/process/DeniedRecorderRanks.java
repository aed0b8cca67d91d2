package org.sluice.hybrid.process;

import java.security.Permission;
import jdk.jfr.FlightRecorderPermission;
import jdk.jfr.Recording;
import org.sluice.device.Device;

/** Program of {@code FlightRecorderProcessTest}: the recorder is there, and registers no events of this program. Rank 1 waits for so long that its device looks for the recorder. */
final class DeniedRecorderRanks {
    private static final int TAG = 7;
    private static final int SENDS = 2;
    private static final long LOOKED_MS = 1500;
    private static final Permission DENIED = new FlightRecorderPermission("registerEvent");

    private DeniedRecorderRanks() {
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws InterruptedException {
        try (Recording recording = new Recording()) {
            recording.start();
            System.setSecurityManager(new SecurityManager() {
                @Override
                public void checkPermission(Permission permission) {
                    if (permission.equals(DENIED)) {
                        throw new SecurityException("denied by this test");
                    }
                }
            });
            try (Device device = Device.open()) {
                for (int i = 0; i < SENDS; i++) {
                    if (device.rank() == 0) {
                        Thread.sleep(LOOKED_MS);
                        device.send(new byte[8], 1, TAG);
                    } else {
                        device.recv(new byte[8], 0, TAG);
                        Say.line("received " + i);
                    }
                }
            }
        }
    }
}
