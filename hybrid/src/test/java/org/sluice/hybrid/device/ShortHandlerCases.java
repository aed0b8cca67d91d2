package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Handler;
import org.sluice.device.Handlers;

/**
 * Short messages to handlers, which are copied into their lane, and most of which are looked for at their rank alone;
 * others come between them.
 */
interface ShortHandlerCases extends DeviceCases {
    int ID = HandlerCases.ID;

    /** What comes for an id that has no handler any more is left for the next one. */
    @Test
    default void messagesToAHandlerThatIsDeregisteredWaitForTheNext() {
        assumeTrue(hasRoomForEager(), "a sender waits for a handler where this suite gives eager messages no room");
        int messages = 100;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.handlers().syncSend(1, ID, new long[] {i});
                        }
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        List<Long> seen = new CopyOnWriteArrayList<>();
                        Handlers handlers = device.handlers();
                        handlers.register(ID, (source, message) -> {
                            seen.add(message.getLong(0));
                            if (seen.size() == messages / 2) {
                                handlers.deregister(ID);
                                handlers.stop();
                            }
                        });
                        handlers.serve();
                        device.progress();
                        assertEquals(messages / 2, seen.size());
                        handlers.register(ID, (source, message) -> seen.add(message.getLong(0)));
                        HandlerCases.serve(device);
                        assertEquals(messages, seen.size());
                        for (int i = 0; i < messages; i++) {
                            assertEquals(i, seen.get(i));
                        }
                    });
        }
    }

    /**
     * One at a time from one rank, of lengths around what a lane has room for, to two ids; each answer is a message as
     * well.
     */
    @Test
    default void answersOfHandlersCarryWhatTheyAnswer() {
        int rounds = many(3000);
        int[] sizes = {8, 8, 8, 0, 1, 8, 63, 64, 65, 8, 200, 7000};
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                int[] next = {device.rank()};
                int[] wrong = new int[1];
                Handler handler = (source, message) -> {
                    int i = next[0];
                    next[0] += 2;
                    byte[] expected = DeviceCases.pattern(i, sizes[i % sizes.length]);
                    if (message.status().tag() != ID + i / 100 % 2
                            || !Arrays.equals(expected, HandlerCases.copy(message))) {
                        wrong[0]++;
                    }
                    if (i >= rounds) {
                        device.handlers().stop();
                    }
                    if (i <= rounds) {
                        send(device, i + 1, sizes);
                    }
                };
                device.handlers().register(ID, handler);
                device.handlers().register(ID + 1, handler);
                if (device.rank() == 1) {
                    send(device, 0, sizes);
                }
                device.handlers().serve();
                assertEquals(0, wrong[0]);
                device.barrier();
            });
        }
    }

    private static void send(Device device, int i, int[] sizes) {
        device.handlers()
                .syncSend(1 - device.rank(), ID + i / 100 % 2, DeviceCases.pattern(i, sizes[i % sizes.length]));
    }
}
