package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.counter.Counter;

/** Random traffic ({@link Storm}), and sends beside a close. */
interface StormCases extends DeviceCases {
    /** As many as it takes for ranks of all places that the suite has. */
    default int stormRanks() {
        return 3;
    }

    /** For how long new rounds begin, one at least; under {@code --long} for as many minutes more. */
    default int stormSeconds() {
        return 0;
    }

    @Test
    default void randomTrafficArrivesWholeAndInOrderOrIsWithdrawn() {
        storm(many(250), stormSeconds());
    }

    @Test
    @Tag("long")
    @Timeout(900)
    default void muchRandomTrafficArrivesWholeAndInOrderOrIsWithdrawn() {
        storm(many(500), 20 + 60 * stormSeconds());
    }

    private void storm(int messages, int seconds) {
        long seed = seed();
        String storm = getClass().getSimpleName() + ": seed " + seed + ", " + messages + " messages, " + seconds + " s";
        System.out.println(storm);
        RankBody[] bodies = new RankBody[stormRanks()];
        Arrays.fill(bodies, (RankBody) device -> Storm.forSeconds(device, seed, messages, seconds));
        try (DeviceJob job = open(bodies.length)) {
            job.run(60L * DeviceJob.PATIENCE + seconds, bodies);
            long withdrawn = 0;
            for (int rank = 0; rank < bodies.length; rank++) {
                withdrawn += job.device(rank).counters().get(Counter.SENDS_WITHDRAWN.key());
            }
            assertTrue(withdrawn > 0, "no send was withdrawn");
        } catch (AssertionError e) {
            throw new AssertionError(storm + ": " + e.getMessage(), e);
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
                job.run(
                        device -> {
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
                        },
                        device -> {
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
