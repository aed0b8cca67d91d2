package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;

/** Random traffic between three ranks ({@link Storm}), and sends beside a close. */
interface StormCases extends DeviceCases {
    int RANKS = 3;

    @Test
    default void randomTrafficArrivesWholeAndInOrder() {
        storm(seed(), many(250));
    }

    @Test
    @Tag("long")
    default void muchRandomTrafficArrivesWholeAndInOrder() {
        for (int i = 0; i < 10; i++) {
            storm(seed(), many(2000));
        }
    }

    private void storm(long seed, int messages) {
        System.out.println(getClass().getSimpleName() + ": seed " + seed + ", " + messages + " messages");
        try (DeviceJob job = open(RANKS)) {
            RankBody body = device -> Storm.on(device, seed, messages);
            job.run(60, body, body, body);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ", " + messages + " messages: " + e.getMessage(), e);
        }
    }

    /** A send that returned before the close refused it is received, whichever thread it was on. */
    @Test
    default void whatWasSentWhileAnotherThreadClosesArrives() throws Exception {
        int rounds = Math.max(2, many(40));
        for (int round = 0; round < rounds; round++) {
            AtomicLong sent = new AtomicLong();
            AtomicLong received = new AtomicLong();
            try (DeviceJob job = open(2)) {
                job.run(device -> {
                    Thread[] senders = new Thread[4];
                    for (int i = 0; i < senders.length; i++) {
                        senders[i] = new Thread(() -> sendUntilRefused(device, sent));
                        senders[i].start();
                    }
                    Thread.sleep(5);
                    device.close();
                    for (Thread sender : senders) {
                        sender.join(20_000);
                        assertFalse(sender.isAlive(), job::state);
                    }
                }, device -> {
                    byte[] into = new byte[8];
                    assertFails(ErrorCode.PEER_CLOSED, () -> {
                        while (true) {
                            device.recv(into, 0, 1);
                            received.incrementAndGet();
                        }
                    });
                });
            }
            assertEquals(sent.get(), received.get(), "in round " + round);
        }
    }

    private static void sendUntilRefused(Device device, AtomicLong sent) {
        assertFails(ErrorCode.DEVICE_CLOSED, () -> {
            while (true) {
                device.send(new byte[8], 1, 1);
                sent.incrementAndGet();
            }
        });
    }
}
