package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.device.Device;

/** Who waits long sleeps: it uses hardly any processor, wakes soon, and wakes whoever is meant. */
final class SleepTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long WAIT_MS = 1000;
    private static final long SLACK_MS = 100;

    static java.util.stream.Stream<Map<String, String>> options() {
        return java.util.stream.Stream.of(
                Map.of(),
                Map.of("sluice.channels", "shm"),
                Map.of("sluice.progress.threads", "1"),
                Map.of("sluice.os", "off"),
                Map.of("sluice.wait.spin.us", "0", "sluice.wait.yield.us", "0"));
    }

    /** Processor time of the program's and the devices' threads. */
    private static long processorNanos() {
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            var info = THREADS.getThreadInfo(id);
            if (info != null
                    && (info.getThreadName().startsWith("rank-body")
                            || info.getThreadName().startsWith("sluice-"))) {
                sum += Math.max(0, THREADS.getThreadCpuTime(id));
            }
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("options")
    void aRankThatWaitsSleepsAndWakesWhenAMessageComes(Map<String, String> options) {
        try (DeviceJob job = DeviceJob.open(2, options)) {
            long[] sentAt = new long[1];
            job.run(
                    device -> {
                        device.barrier();
                        Thread.sleep(100);
                        long before = processorNanos();
                        Thread.sleep(WAIT_MS);
                        long used = TimeUnit.NANOSECONDS.toMillis(processorNanos() - before);
                        assertTrue(
                                used < WAIT_MS / 10,
                                "waiting " + WAIT_MS + " ms took " + used + " ms of processor time");
                        sentAt[0] = System.nanoTime();
                        device.send(new byte[1], 1, 1);
                    },
                    device -> {
                        device.barrier();
                        device.recv(new byte[1], 0, 1);
                        long late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentAt[0]);
                        assertTrue(late < SLACK_MS, "woke " + late + " ms after the message was sent");
                        assertTrue(device.counters().get("parks")
                                        + device.counters().get("sleeps")
                                > 0);
                    });
        }
    }

    /** Whoever led leaves with its message; one of those who remain has to go on polling. */
    @ParameterizedTest
    @MethodSource("options")
    void aLeaderThatLeavesHandsOn(Map<String, String> options) {
        int threads = 3;
        try (DeviceJob job = DeviceJob.open(2, options)) {
            for (int round = 0; round < 20; round++) {
                int pauseMs = round % 4;
                CountDownLatch received = new CountDownLatch(threads);
                job.run(
                        20,
                        device -> {
                            for (int tag = 0; tag < threads; tag++) {
                                Thread.sleep(pauseMs);
                                device.send(new int[] {tag}, 1, tag);
                            }
                            assertTrue(received.await(10, TimeUnit.SECONDS));
                        },
                        device -> ProbeCases.threads(threads, tag -> {
                            int[] into = new int[1];
                            device.recv(into, ANY_SOURCE, tag);
                            assertEquals(tag, into[0]);
                            received.countDown();
                        }));
            }
        }
    }

    /** Parked senders too are woken: by the receiver that takes what they sent. */
    @ParameterizedTest
    @MethodSource("options")
    void aSenderThatWaitsIsWoken(Map<String, String> options) {
        try (DeviceJob job = DeviceJob.open(2, options)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 5; i++) {
                            device.ssend(new byte[100_000], 1, 1);
                        }
                    },
                    (Device device) -> {
                        for (int i = 0; i < 5; i++) {
                            Thread.sleep(30);
                            device.recv(new byte[100_000], 0, 1);
                        }
                    });
        }
    }
}
