package org.sluice.hybrid.launch;

import org.sluice.device.Device;
import org.sluice.device.Request;

/** A job of two that does what most programs do, so that the classes for it are loaded. */
final class Rehearsal {
    private static final int[] LENGTHS = {1, 1 << 10, 1 << 18};
    private static final int TAG = 7;

    private Rehearsal() {
    }

    public static void main(String[] arguments) {
        try (Device device = Device.open()) {
            int other = 1 - device.rank();
            for (int length : LENGTHS) {
                byte[] given = new byte[length];
                byte[] taken = new byte[length];
                Request send = device.isend(given, other, TAG);
                device.recv(taken, other, TAG);
                send.waitFor();
            }
            device.barrier();
        }
    }
}
