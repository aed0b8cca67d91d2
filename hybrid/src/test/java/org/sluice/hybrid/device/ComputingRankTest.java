package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.Request;

/** A rank that computes and doesn't call the device gets its long messages, and gets rid of them, where a thread of the device makes progress; else it doesn't. */
@Tag("once")
final class ComputingRankTest {
    private static final int BYTES = 16 << 20;

    @ParameterizedTest
    @CsvSource({"threads,1", "shm,1", "shm,2", "threads,0", "shm,0"})
    void longMessagesMoveWhileARankComputes(String channel, int threads) {
        AtomicBoolean computes = new AtomicBoolean(true);
        byte[] body = DeviceCases.pattern(threads, BYTES);
        try (DeviceJob job = DeviceJob.open(2, java.util.Map.of("sluice.channels", channel, "sluice.progress.threads", Integer.toString(threads)))) {
            job.run(device -> {
                device.barrier();
                Request receive = device.irecv(new byte[BYTES], 1, 1);
                device.ssend(body, 1, 1);
                receive.waitFor();
                assertEquals(threads > 0, computes.get(), "only a thread of the device makes progress while the program computes");
            }, device -> {
                byte[] into = new byte[BYTES];
                Request receive = device.irecv(into, 0, 1);
                Request send = device.issend(body, 0, 1);
                device.barrier();
                compute(threads > 0 ? 1000 : 200);
                boolean moved = !(receive + " " + send).contains("in flight");
                computes.set(false);
                assertEquals(threads > 0, moved, receive + ", " + send);
                receive.waitFor();
                send.waitFor();
                assertArrayEquals(body, into);
            });
        }
    }

    private static void compute(long ms) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms * DeviceJob.PATIENCE);
        double sum = 0;
        for (long i = 1; System.nanoTime() - end < 0; i++) {
            sum += 1.0 / i;
        }
        assertTrue(sum > 0);
    }
}
