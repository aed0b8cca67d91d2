package org.sluice.hybrid.process;

import java.security.Permission;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorderPermission;
import jdk.jfr.Recording;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** Program of {@code FlightRecorderProcessTest}: the recorder is there, and refuses to register events. */
final class DeniedRecorderRanks {
    private static final int TAG = 7;
    private static final long PATIENCE_MS = 20_000;
    private static final Permission REFUSED = new FlightRecorderPermission("registerEvent");
    private static volatile boolean refused;

    private DeniedRecorderRanks() {}

    @SuppressWarnings("removal")
    public static void main(String[] args) throws InterruptedException {
        try (Recording recording = new Recording()) {
            recording.start();
            System.setSecurityManager(new SecurityManager() {
                @Override
                public void checkPermission(Permission permission) {
                    if (permission.equals(REFUSED)) {
                        refused = true;
                        throw new SecurityException("refused by this test");
                    }
                }
            });
            try (Device device = Device.open()) {
                exchange(device);
                Say.line("goes on");
            }
        }
    }

    /** Each waits for the other, and looks for the recorder then, until both were refused. */
    private static void exchange(Device device) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        byte[] both = new byte[1];
        while (both[0] == 0) {
            Say.check(System.nanoTime() < deadline, "nobody asked the recorder");
            Thread.sleep(1);
            byte[] ours = {(byte) (refused ? 1 : 0)};
            byte[] theirs = new byte[1];
            Request send = device.isend(ours, 1 - device.rank(), TAG);
            device.recv(theirs, 1 - device.rank(), TAG);
            send.waitFor();
            both[0] = (byte) (ours[0] & theirs[0]);
        }
    }
}
