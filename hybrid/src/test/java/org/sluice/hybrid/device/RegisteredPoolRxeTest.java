package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;

/** Memory of message buffers over verbs: registered in large extents, and not for a message. */
@Tag("verbs")
final class RegisteredPoolRxeTest {
    private static final int BYTES = 64 << 10;
    private static final int ID = 7;
    private static final int STOP_ID = Handlers.HIGHEST_ID;
    private static final int COUNT = 30;

    private static long registrations(Device device) {
        return device.counters().get("registrations");
    }

    private static void stopped(Device device) {
        device.handlers()
                .register(STOP_ID, (source, message) -> device.handlers().stop());
        device.handlers().serve();
        device.handlers().deregister(STOP_ID);
    }

    private static void check(String channels, String rendezvous) {
        try (DeviceJob job =
                DeviceJob.open(2, Map.of("sluice.channels", channels, "sluice.ib.rendezvous", rendezvous))) {
            job.run(
                    device -> {
                        for (int round = 0; round < 2; round++) {
                            long before = registrations(device);
                            for (int i = 0; i < COUNT; i++) {
                                try (MessageBuffer buffer = device.allocate(BYTES)) {
                                    buffer.putLong(BYTES - 8, i);
                                    device.handlers().syncSend(1, ID, buffer);
                                }
                            }
                            device.handlers().syncSend(1, STOP_ID, null);
                            for (int i = 0; i < COUNT; i++) {
                                MessageBuffer buffer = device.allocate(BYTES);
                                buffer.putLong(BYTES - 8, i);
                                device.give(buffer, 1, 3).waitFor();
                            }
                            assertEquals(round == 0 ? 1 : 0, registrations(device) - before, "round " + round);
                        }
                        assertEquals(1, device.counters().get("pool.regions"));
                        assertTrue(device.counters().get("pool.hits") >= 4 * COUNT - 1);
                        assertEquals(0, device.counters().get("arena.used.bytes"));
                    },
                    device -> {
                        long[] next = {0};
                        device.handlers().register(ID, (source, message) -> {
                            assertEquals(next[0]++ % COUNT, message.getLong(BYTES - 8));
                        });
                        for (int round = 0; round < 2; round++) {
                            long before = registrations(device);
                            stopped(device);
                            for (int i = 0; i < COUNT; i++) {
                                try (Lease lease = device.recvInPlace(0, 3)) {
                                    assertEquals(i, lease.getLong(BYTES - 8));
                                }
                            }
                            assertEquals(round == 0 ? 1 : 0, registrations(device) - before, "round " + round);
                        }
                        assertEquals(0, device.counters().get("handlers.failed"));
                        assertEquals(2 * COUNT, device.counters().get("handler.fetches"));
                        assertTrue(device.counters().get("handler.memory.reused") >= 2 * COUNT - 2);
                        assertTrue(device.counters().get("copied.bytes") < BYTES, "the adapter moved them");
                    });
        }
    }

    @Test
    void aMessageOutOfABufferThatIsMadeForItRegistersNothing() {
        check("ib", "write");
        check("ib", "read");
    }

    /** With buffers that peers of the node could read, too. */
    @Test
    void soDoBuffersInASegment() {
        check("ib,shm", "write");
    }

    /** More come at once, in the order in which they were sent. */
    @Test
    void severalMessagesOfOneSenderAreFetchedTogether() {
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "ib"))) {
            job.run(
                    device -> {
                        Request[] gives = new Request[COUNT];
                        for (int i = 0; i < COUNT; i++) {
                            MessageBuffer buffer = device.allocate(BYTES);
                            buffer.putLong(0, i);
                            gives[i] = device.handlers().give(1, ID, buffer, BYTES);
                        }
                        device.handlers().syncSend(1, STOP_ID, null);
                        device.send(new byte[1], 1, 3);
                        // Who writes has to make calls for it.
                        device.waitAll(gives);
                    },
                    device -> {
                        long[] next = {0};
                        device.handlers();
                        device.recv(new byte[1], 0, 3);
                        assertEquals(0, device.counters().get("handler.fetches"), "nobody asked for them");
                        device.handlers()
                                .register(ID, (source, message) -> assertEquals(next[0]++, message.getLong(0)));
                        assertTrue(device.counters().get("handler.fetches") >= 8, "eight begin at once");
                        stopped(device);
                        assertEquals(COUNT, next[0]);
                        assertEquals(0, device.counters().get("handlers.failed"));
                        assertEquals(COUNT, device.counters().get("handler.fetches"));
                    });
        }
    }
}
