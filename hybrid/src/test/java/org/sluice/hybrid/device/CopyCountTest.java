package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.LARGE;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;

/** How often the bytes of a large message are copied, and by whom, as the devices count it. */
final class CopyCountTest {
    private static final int TAG = 1;
    private static final String COPIED = "copied.bytes";
    private static final String CHUNKS = "streamed.chunks";

    /** What one message added to a rank's counts. */
    private record Cost(long copiedBytes, long chunks) {
        static Cost of(Device device, Runnable message) {
            // Both are through with what came before, and nothing else goes on.
            device.barrier();
            Map<String, Long> before = device.counters();
            message.run();
            device.barrier();
            Map<String, Long> after = device.counters();
            return new Cost(after.get(COPIED) - before.get(COPIED), after.get(CHUNKS) - before.get(CHUNKS));
        }
    }

    private static void message(String channel, boolean messageBuffer, boolean inPlace, Cost[] costs) {
        byte[] content = pattern(3, LARGE);
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", channel))) {
            job.run(
                    device -> {
                        try (MessageBuffer memory = device.allocate(LARGE)) {
                            memory.byteBuffer().put(content);
                            costs[0] = Cost.of(device, () -> device.send(messageBuffer ? memory : content, 1, TAG));
                        }
                    },
                    device -> {
                        byte[] into = new byte[LARGE];
                        costs[1] = Cost.of(device, () -> {
                            if (inPlace) {
                                try (Lease lease = device.recvInPlace(0, TAG)) {
                                    lease.buffer().get(into);
                                }
                            } else {
                                device.recv(into, 0, TAG);
                            }
                        });
                        assertArrayEquals(content, into);
                    });
        }
    }

    private static Cost[] costs(String channel, boolean messageBuffer, boolean inPlace) {
        Cost[] costs = new Cost[2];
        message(channel, messageBuffer, inPlace, costs);
        return costs;
    }

    @Test
    void betweenThreadsTheReceiverCopiesOutOfTheSendersArray() {
        assertArrayEquals(new Cost[] {new Cost(0, 0), new Cost(LARGE, 0)}, costs("threads", false, false));
    }

    @Test
    void betweenProcessesTheReceiverCopiesOutOfTheSendersMessageBuffer() {
        assertArrayEquals(new Cost[] {new Cost(0, 0), new Cost(LARGE, 0)}, costs("shm", true, false));
    }

    @Test
    void aMessageTakenInPlaceIsCopiedByNobody() {
        for (String channel : new String[] {"threads", "shm"}) {
            assertArrayEquals(new Cost[] {new Cost(0, 0), new Cost(0, 0)}, costs(channel, true, true), channel);
        }
    }

    /** Both at once, piece by piece. */
    @Test
    void betweenProcessesBothEndsCopyAnArray() {
        Cost[] costs = costs("shm", false, false);
        assertEquals(LARGE, costs[0].copiedBytes);
        assertEquals(new Cost(LARGE, 0), costs[1]);
        assertTrue(costs[0].chunks > 1, costs[0] + " is no pipeline");
    }
}
