package org.sluice.hybrid.process;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Allocates message buffers until there is no room, then exchanges all that it got, gives one back and allocates again.
 */
final class GrowingRanks {
    private static final int BYTES = 1 << 20;
    private static final int TAG = 1;

    private GrowingRanks() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            List<MessageBuffer> buffers = new ArrayList<>();
            Say.failure("allocate", () -> {
                while (true) {
                    buffers.add(device.allocate(BYTES));
                }
            });
            device.barrier();
            Say.line(buffers.size() + " buffers");
            exchange(device, buffers);
            if (!buffers.isEmpty()) {
                buffers.remove(0).close();
                buffers.add(device.allocate(BYTES));
            }
            buffers.forEach(MessageBuffer::close);
        }
    }

    private static void exchange(Device device, List<MessageBuffer> buffers) {
        int other = 1 - device.rank();
        List<Request> sends = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            // Every page is written: none may be missing.
            for (long at = 0; at < BYTES; at += 4096) {
                buffers.get(i).putLong(at, i);
            }
            sends.add(device.isend(buffers.get(i), other, TAG));
        }
        Request end = device.isend(new byte[1], other, TAG);
        byte[] data = new byte[BYTES];
        Status status = device.recv(data, other, TAG);
        for (int i = 0; status.bytes() == BYTES; i++) {
            Say.check(data[BYTES - 4096] == (byte) i, "content of buffer " + i);
            device.recv(data, other, TAG, status);
        }
        sends.forEach(Request::waitFor);
        end.waitFor();
    }
}
