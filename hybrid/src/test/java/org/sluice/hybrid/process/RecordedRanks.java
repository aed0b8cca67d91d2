package org.sluice.hybrid.process;

import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import org.sluice.device.Device;

/**
 * Program of {@code FlightRecorderProcessTest}: rank 0 sends when the test says so, and dies the third time; rank 1
 * receives. With a folder, each records by itself.
 */
final class RecordedRanks {
    private static final int TAG = 7;
    private static final int SENDS = 2;

    private RecordedRanks() {}

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            recordWhole(Path.of(args[0]));
            return;
        }
        try (Device device = Device.open()) {
            for (int i = 0; i < SENDS; i++) {
                if (device.rank() == 0) {
                    Say.awaitTest("send");
                    device.send(new byte[8], 1, TAG);
                } else {
                    device.recv(new byte[8], 0, TAG);
                    Say.line("received " + i);
                }
            }
            if (device.rank() == 0) {
                Say.awaitTest("die");
                Runtime.getRuntime().halt(1);
            }
            Say.failure("recv", () -> device.recv(new byte[8], 0, TAG));
            Say.awaitTest("end");
        }
    }

    /**
     * A recording that begins before the device opens and ends after it has closed: neither a begin nor an end of it
     * falls in between.
     */
    private static void recordWhole(Path folder) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("org.sluice.ProtocolChoice").with("period", "everyChunk");
            recording.start();
            int rank;
            try (Device device = Device.open()) {
                rank = device.rank();
                if (rank == 0) {
                    device.send(new byte[8], 1, TAG);
                } else {
                    device.recv(new byte[8], 0, TAG);
                }
            }
            recording.stop();
            recording.dump(folder.resolve(rank + ".jfr"));
        }
    }
}
