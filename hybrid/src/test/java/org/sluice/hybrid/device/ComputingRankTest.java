package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Request;

/**
 * A rank that computes and doesn't call the device gets its long messages, and gets rid of them, where a thread of the
 * device makes progress; else it doesn't.
 */
@Tag("once")
final class ComputingRankTest {
    private static final int BYTES = 16 << 20;

    @ParameterizedTest
    @CsvSource({"threads,1", "shm,1", "shm,2", "threads,0", "shm,0"})
    void longMessagesMoveWhileARankComputes(String channel, int threads) {
        AtomicBoolean computes = new AtomicBoolean(true);
        byte[] body = DeviceCases.pattern(threads, BYTES);
        try (DeviceJob job = DeviceJob.open(
                2, Map.of("sluice.channels", channel, "sluice.progress.threads", Integer.toString(threads)))) {
            job.run(
                    device -> {
                        device.barrier();
                        Request receive = device.irecv(new byte[BYTES], 1, 1);
                        device.ssend(body, 1, 1);
                        receive.waitFor();
                        assertEquals(
                                threads > 0,
                                computes.get(),
                                "only a thread of the device makes progress while the program computes");
                    },
                    device -> {
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

    @ParameterizedTest
    @ValueSource(strings = {"read", "write", "stream"})
    @Tag("verbs")
    void longMessagesMoveOverVerbsWhileARankComputes(String rendezvous) {
        int bytes = 1 << 20;
        AtomicBoolean computes = new AtomicBoolean(true);
        try (DeviceJob job = DeviceJob.open(
                2,
                Map.of("sluice.channels", "ib", "sluice.progress.threads", "1", "sluice.ib.rendezvous", rendezvous))) {
            job.run(
                    device -> {
                        device.barrier();
                        Request receive = device.irecv(ByteBuffer.allocateDirect(bytes), 1, 1);
                        device.ssend(direct(bytes), 1, 1);
                        receive.waitFor();
                        assertTrue(computes.get(), "the device's thread moves them while the program computes");
                    },
                    device -> {
                        ByteBuffer into = ByteBuffer.allocateDirect(bytes);
                        Request receive = device.irecv(into, 0, 1);
                        Request send = device.issend(direct(bytes), 0, 1);
                        device.barrier();
                        for (int i = 0; i < 100 && (receive + " " + send).contains("in flight"); i++) {
                            compute(20);
                        }
                        // What is over here ends there a moment later.
                        compute(100);
                        computes.set(false);
                        assertFalse((receive + " " + send).contains("in flight"), receive + ", " + send);
                        receive.waitFor();
                        send.waitFor();
                        assertEquals(direct(bytes), into.rewind());
                        Map<String, Long> counters = device.counters();
                        assertEquals(
                                rendezvous,
                                counters.get("put.chunks") > 0
                                        ? "write"
                                        : counters.get("get.chunks") > 0 ? "read" : "stream",
                                counters::toString);
                    });
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes)
                .put(DeviceCases.pattern(7, bytes))
                .flip();
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
