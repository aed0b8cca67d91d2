package org.sluice.cli.vm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Program of {@link PowerOffProcessTest}: rank 2 powers its machine off. Rank 0 has a connection to it; rank 1 waits
 * for a message of it without ever having had one.
 */
final class PowerOffRanks {
    private static final int VICTIM = 2;
    private static final int TAG = 3;

    private PowerOffRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            if (device.rank() == VICTIM) {
                device.recv(new byte[8], 0, TAG);
                device.send(new byte[8], 0, TAG);
                powerOff();
            } else {
                survive(device);
            }
        }
        System.out.println("closed");
    }

    /** At once: nothing is said to anybody. */
    private static void powerOff() throws IOException, InterruptedException {
        Files.writeString(Path.of("/proc/sysrq-trigger"), "o");
        Thread.sleep(TimeUnit.MINUTES.toMillis(5));
    }

    private static void survive(Device device) {
        int other = 1 - device.rank();
        Request pending = device.irecv(new byte[8], VICTIM, TAG + 1);
        if (device.rank() == 0) {
            device.send(new byte[8], VICTIM, TAG);
            device.recv(new byte[8], VICTIM, TAG);
        }
        long start = System.nanoTime();
        try {
            pending.waitFor();
            throw new IllegalStateException("a message came from a machine that is off");
        } catch (SluiceException e) {
            System.out.println("rank " + device.rank() + " " + e.code() + " " + e.peer() + " after "
                    + (System.nanoTime() - start) / 1_000_000_000 + " s: " + e.getMessage());
        }
        device.acknowledge(VICTIM);
        Request receive = device.irecv(new byte[20_000], Device.ANY_SOURCE, TAG);
        device.send(new byte[20_000], other, TAG);
        System.out.println("rank " + device.rank() + " goes on with rank "
                + receive.waitFor().source());
    }
}
