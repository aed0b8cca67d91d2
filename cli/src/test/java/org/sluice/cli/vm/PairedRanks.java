package org.sluice.cli.vm;

import java.util.Arrays;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** Program of {@code TwoGuestsJobTest}: each rank sends to all, and checks what it has of each. */
final class PairedRanks {
    /** Of a message that goes at once, and of one that waits for its receive. */
    private static final int[] SIZES = {8, 200_000};

    private PairedRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            for (int bytes : SIZES) {
                exchange(device, bytes);
            }
            device.barrier();
            // In one write, as ranks of a node share the file.
            System.out.print("rank " + device.rank() + " has what all " + device.size() + " sent\n");
        }
    }

    private static void exchange(Device device, int bytes) {
        int size = device.size();
        byte[][] incoming = new byte[size][bytes];
        Request[] receives = new Request[size];
        Request[] sends = new Request[size];
        for (int peer = 0; peer < size; peer++) {
            receives[peer] = device.irecv(incoming[peer], peer, bytes);
        }
        for (int peer = 0; peer < size; peer++) {
            sends[peer] = device.isend(content(device.rank(), peer, bytes), peer, bytes);
        }
        for (int peer = 0; peer < size; peer++) {
            sends[peer].waitFor();
            receives[peer].waitFor();
            if (!Arrays.equals(content(peer, device.rank(), bytes), incoming[peer])) {
                throw new IllegalStateException("rank " + device.rank() + " has something else than the " + bytes
                        + " bytes that rank " + peer + " sent");
            }
        }
    }

    private static byte[] content(int from, int to, int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i * 7 + i / 251 + from * 16 + to);
        }
        return content;
    }
}
