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
import org.sluice.device.Request;

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

    /** From rank 0 to a handler of rank 1, and by that to one of rank 2. */
    private static Cost[] forwarded(String channel, boolean messageBuffer) {
        Cost[] costs = new Cost[3];
        byte[] content = pattern(3, LARGE);
        try (DeviceJob job = DeviceJob.open(3, Map.of("sluice.channels", channel))) {
            job.runAll(device -> {
                long[] seen = {0};
                Request[] sent = new Request[1];
                MessageBuffer memory = device.allocate(LARGE);
                memory.byteBuffer().put(content);
                costs[device.rank()] = Cost.of(device, () -> {
                    // Here, as a message that has come before is brought by this call.
                    device.handlers().register(TAG, (source, message) -> {
                        seen[0] = message.getLong(LARGE - 8);
                        sent[0] = device.rank() == 1 ? device.handlers().forward(2, TAG, message) : null;
                    });
                    if (device.rank() == 0) {
                        device.handlers().syncSend(1, TAG, messageBuffer ? memory : content);
                    }
                    while (device.rank() != 0 && seen[0] == 0 || sent[0] != null && !sent[0].isDone()) {
                        device.progress();
                    }
                });
                assertEquals(device.rank() == 0 ? 0 : memory.getLong(LARGE - 8), seen[0]);
            });
        }
        return costs;
    }

    @Test
    void whatAHandlerSendsOnIsCopiedByNobody() {
        Cost none = new Cost(0, 0);
        assertArrayEquals(new Cost[] {none, none, none}, forwarded("threads", true));
        // Here it was copied once, to where the next reads it.
        Cost[] processes = forwarded("shm", false);
        assertEquals(new Cost(LARGE, 0), processes[1]);
        assertEquals(none, processes[2]);
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
