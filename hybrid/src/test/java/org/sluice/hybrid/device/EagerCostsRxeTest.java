package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.Status;

/** What an ordinary short message over verbs costs once all is warm: out of an array, by way of a registered slot. */
@Tag("all")
@Tag("verbs")
final class EagerCostsRxeTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 8;
    private static final int MESSAGES = 50;
    /** Payload for which there is news of the share once at most. */
    private static final int NEWS_BYTES = 128 << 10;

    /** No parks and no signs of life, which time brings and no message. */
    private static DeviceJob open() {
        return DeviceJob.open(
                2, Map.of("sluice.channels", "ib", "sluice.peer.check.ms", "60000", "sluice.wait.yield.us", "1000000"));
    }

    private static void there(Device device, byte[] from, byte[] into, Status status) {
        for (int i = 0; i < MESSAGES; i++) {
            if (device.rank() == 0) {
                device.send(from, 1, i);
                device.recv(into, 1, i, status);
            } else {
                device.recv(into, 0, i, status);
                device.send(from, 0, i);
            }
        }
    }

    /** The fewest bytes of several rounds: others may see a compilation. */
    @ParameterizedTest
    @ValueSource(ints = {8, 4000})
    void aMessageIsOneWorkRequestInOneCallAndAllocatesNothing(int bytes) {
        try (DeviceJob job = open()) {
            job.runAll(device -> {
                byte[] from = DeviceCases.pattern(device.rank(), bytes);
                byte[] into = new byte[bytes];
                Status status = new Status();
                there(device, from, into, status);
                Map<String, Long> before = device.counters();
                long least = Long.MAX_VALUE;
                for (int round = 0; round < ROUNDS; round++) {
                    long start = THREADS.getCurrentThreadAllocatedBytes();
                    there(device, from, into, status);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - start);
                }
                Map<String, Long> grown = device.counters();
                grown.replaceAll((name, count) -> count - before.get(name));
                String all = "rank " + device.rank() + ": " + grown;
                assertTrue(least <= MESSAGES, MESSAGES + " messages there and back allocate " + least + " bytes");
                assertArrayEquals(DeviceCases.pattern(1 - device.rank(), bytes), into);
                assertEquals(0, grown.get("registrations"), all);
                assertEquals(0, grown.get("lent"), all);
                // A copy at each end of each message; news of the sender's share, now and then, is one more. Credit
                // that was told in a packet of its
                // own is no message's either.
                long messages = ROUNDS * MESSAGES;
                long news = grown.get("copies") - 2 * messages;
                assertTrue(news >= 0 && news <= messages * bytes / NEWS_BYTES, all);
                long posts = messages + news + grown.get("credit.packets");
                assertEquals(posts, grown.get("work.requests"), all);
                assertEquals(posts, grown.get("native.crossings"), all);
                device.barrier();
            });
        }
    }
}
