package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** Requests: testing, waiting, cancelling, calling back. */
interface RequestCases extends DeviceCases {
    @Test
    default void aRequestIsTestedUntilItIsDone() {
        for (int size : new int[] {8, LARGE}) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            device.recv(null, 1, 9);
                            device.send(pattern(1, size), 1, 1);
                        },
                        device -> {
                            byte[] into = new byte[size];
                            Request request = device.irecv(into, 0, 1);
                            assertFalse(request.isDone());
                            assertNull(request.test());
                            assertEquals(ErrorCode.NONE, request.error());
                            device.send(null, 0, 9);
                            Status status = request.test();
                            while (status == null) {
                                Thread.onSpinWait();
                                status = request.test();
                            }
                            assertTrue(request.isDone());
                            assertEquals(size, status.bytes());
                            assertArrayEquals(pattern(1, size), into);
                            assertEquals(size, request.waitFor().bytes(), "a second wait returns the same");
                        });
            }
        }
    }

    @Test
    default void aWaitWithATimeLimitEndsInTime() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(null, 1, 9);
                        device.send(new byte[1], 1, 1);
                    },
                    device -> {
                        Request request = device.irecv(new byte[1], 0, 1);
                        for (long ms : new long[] {0, 1, 60}) {
                            long start = System.nanoTime();
                            assertNull(request.waitFor(ms, TimeUnit.MILLISECONDS));
                            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                            assertTrue(took >= ms && took < ms + 1000, "a wait of " + ms + " ms took " + took);
                        }
                        device.send(null, 0, 9);
                        assertEquals(1, request.waitFor(20, TimeUnit.SECONDS).bytes());
                        assertEquals(
                                1,
                                request.waitFor(Long.MAX_VALUE, TimeUnit.DAYS).bytes());
                    });
        }
    }

    @Test
    default void waitAnySomeAndAll() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int tag : new int[] {3, 1, 0, 2}) {
                            device.recv(null, 1, 9);
                            device.send(new int[] {tag}, 1, tag);
                        }
                    },
                    device -> {
                        int[][] into = new int[4][1];
                        Request[] requests = new Request[5];
                        for (int tag = 0; tag < 4; tag++) {
                            requests[tag + 1] = device.irecv(into[tag], 0, tag);
                        }
                        device.send(null, 0, 9);
                        assertEquals(4, device.waitAny(requests));
                        assertEquals(4, device.waitAny(requests), "one that is done stays done");
                        requests[4] = null;
                        device.send(null, 0, 9);
                        assertArrayEquals(new int[] {2}, device.waitSome(requests));
                        requests[2] = null;
                        device.send(null, 0, 9);
                        device.send(null, 0, 9);
                        device.waitAll(requests);
                        assertArrayEquals(new int[] {1, 3}, device.waitSome(requests));
                        assertArrayEquals(new int[][] {{0}, {1}, {2}, {3}}, into);
                        assertEquals(-1, device.waitAny());
                        assertEquals(-1, device.waitAny(null, null));
                        assertEquals(0, device.waitSome().length);
                        device.waitAll();
                    });
        }
    }

    @Test
    default void waitAllThrowsTheFirstFailureAfterAllAreDone() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.send(new byte[10], 1, 1);
                        device.send(new byte[10], 1, 2);
                    },
                    device -> {
                        Request cut = device.irecv(new byte[2], 0, 1);
                        Request whole = device.irecv(new byte[10], 0, 2);
                        assertFails(ErrorCode.TRUNCATED, () -> device.waitAll(cut, whole));
                        assertTrue(whole.isDone());
                        assertEquals(ErrorCode.TRUNCATED, cut.error());
                        assertEquals(ErrorCode.NONE, whole.error());
                    });
        }
    }

    @Test
    default void aReceiveIsWithdrawnOnlyBeforeItMatches() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(null, 1, 9);
                        device.send(pattern(1, LARGE), 1, 1);
                        device.send(pattern(2, 8), 1, 1);
                    },
                    device -> {
                        Request withdrawn = device.irecv(new byte[LARGE], 0, ANY_TAG);
                        Request kept = device.irecv(new byte[LARGE], 0, 1);
                        assertTrue(withdrawn.cancel());
                        assertTrue(withdrawn.isDone());
                        assertFalse(withdrawn.cancel(), "once is enough");
                        SluiceException failure = assertFails(ErrorCode.CANCELLED, withdrawn::waitFor);
                        assertEquals(ErrorCode.CANCELLED, failure.status().error());
                        device.send(null, 0, 9);
                        assertEquals(LARGE, kept.waitFor().bytes(), "the withdrawn one took nothing");
                        assertFalse(kept.cancel(), "too late");
                        byte[] small = new byte[8];
                        device.recv(small, 0, 1);
                        assertArrayEquals(pattern(2, 8), small);
                    });
        }
    }

    @Test
    default void cancelAgainstArrivalEndsOneWayOrTheOther() {
        int rounds = many(2000);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < rounds; i++) {
                            device.recv(null, 1, 9);
                            device.send(new int[] {i}, 1, 1);
                        }
                    },
                    device -> {
                        for (int i = 0; i < rounds; i++) {
                            int[] into = {-1};
                            Request request = device.irecv(into, 0, 1);
                            device.send(null, 0, 9);
                            for (int spin = i % 200; spin > 0; spin--) {
                                device.progress();
                            }
                            if (request.cancel()) {
                                assertEquals(-1, into[0]);
                                device.recv(into, 0, 1);
                            } else {
                                request.waitFor();
                            }
                            assertEquals(i, into[0]);
                        }
                    });
        }
    }

    @Test
    default void aFutureCompletesAlthoughNobodyWaits() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        Thread.sleep(50);
                        device.isend(pattern(1, 8), 1, 1).toFuture().get(20, TimeUnit.SECONDS);
                        device.isend(pattern(2, LARGE), 1, 2).toFuture().get(20, TimeUnit.SECONDS);
                        device.isend(new byte[9], 1, 3).toFuture().get(20, TimeUnit.SECONDS);
                    },
                    device -> {
                        byte[] small = new byte[8];
                        byte[] large = new byte[LARGE];
                        CompletableFuture<Status> first =
                                device.irecv(small, 0, 1).toFuture();
                        CompletableFuture<Status> second =
                                device.irecv(large, 0, 2).toFuture();
                        CompletableFuture<Status> cut =
                                device.irecv(new byte[1], 0, 3).toFuture();
                        assertEquals(8, first.get(20, TimeUnit.SECONDS).bytes());
                        assertEquals(LARGE, second.get(20, TimeUnit.SECONDS).bytes());
                        assertArrayEquals(pattern(1, 8), small);
                        assertArrayEquals(pattern(2, LARGE), large);
                        ExecutionException failure =
                                assertThrows(ExecutionException.class, () -> cut.get(20, TimeUnit.SECONDS));
                        assertEquals(ErrorCode.TRUNCATED, ((SluiceException) failure.getCause()).code());
                    });
        }
    }

    @Test
    default void aFutureOfADoneRequestIsDoneAndTheSameEachTime() throws Exception {
        try (DeviceJob job = open(1)) {
            Request receive = job.device(0).irecv(new byte[3], 0, 1);
            Request send = job.device(0).isend(new byte[3], 0, 1);
            assertEquals(3, send.toFuture().get(20, TimeUnit.SECONDS).bytes());
            receive.waitFor();
            assertTrue(receive.toFuture().isDone());
            assertSame(receive.toFuture(), receive.toFuture());
            Request pending = job.device(0).irecv(new byte[3], 0, 1);
            CompletableFuture<Status> future = pending.toFuture();
            assertSame(future, pending.toFuture());
            assertTrue(pending.cancel());
            assertTrue(future.isCompletedExceptionally());
        }
    }

    /** Each message is received and answered in a callback: no thread of the program ever waits. */
    @Test
    default void aProgramOfCallbacksRunsByItself() throws Exception {
        int rounds = 300;
        try (DeviceJob job = open(2)) {
            CompletableFuture<Integer> over = new CompletableFuture<>();
            for (int rank = 0; rank < 2; rank++) {
                answer(job, rank, new int[1], new AtomicInteger(), rounds, over);
            }
            job.device(0).isend(new int[] {0}, 1, 1);
            assertEquals(rounds, over.get(30, TimeUnit.SECONDS), job::state);
        }
    }

    private static void answer(
            DeviceJob job, int rank, int[] into, AtomicInteger turns, int rounds, CompletableFuture<Integer> over) {
        job.device(rank).irecv(into, ANY_SOURCE, 1).toFuture().thenAccept(status -> {
            int value = into[0];
            if (value < rounds) {
                job.device(rank).isend(new int[] {value + 1}, 1 - rank, 1);
                answer(job, rank, into, turns, rounds, over);
            } else if (value == rounds) {
                over.complete(value);
            }
        });
    }

    @Test
    default void anInterruptDoesNotEndAWaitAndStays() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.recv(null, 1, 9);
                        Thread.sleep(100);
                        device.send(new byte[1], 1, 1);
                    },
                    device -> {
                        Request request = device.irecv(new byte[1], 0, 1);
                        device.send(null, 0, 9);
                        Thread.currentThread().interrupt();
                        assertEquals(1, request.waitFor().bytes());
                        assertTrue(Thread.interrupted(), "the interrupt is still set");
                    });
        }
    }

    @Test
    default void peekReturnsEachCompletedRequestOnce() {
        try (DeviceJob job = open(2, "sluice.peek", "on")) {
            job.run(
                    device -> {
                        for (int i = 0; i < 4; i++) {
                            device.send(new byte[i], 1, i);
                        }
                    },
                    device -> {
                        assertNull(device.peek(Duration.ofMillis(5)), "nothing has begun");
                        Set<Request> requests = new HashSet<>();
                        for (int i = 0; i < 4; i++) {
                            requests.add(device.irecv(new byte[4], 0, i));
                        }
                        for (int i = 0; i < 4; i++) {
                            Request done = device.peek(Duration.ofSeconds(20));
                            assertNotNull(done);
                            assertTrue(done.isDone());
                            assertTrue(requests.remove(done), "returned twice, or never made: " + done);
                        }
                        Request receive = device.irecv(new byte[3], 1, 1);
                        device.isend(new byte[3], 1, 1).waitFor();
                        receive.waitFor();
                        assertNull(device.peek(Duration.ofMillis(5)), "their results are known already");
                        Request second = device.irecv(new byte[3], 1, 1);
                        Request send = device.isend(new byte[3], 1, 1);
                        second.waitFor();
                        assertSame(
                                send,
                                device.peek(Duration.ofSeconds(Long.MAX_VALUE)),
                                "it may wait as long as it likes");
                        assertNull(device.peek(Duration.ofSeconds(Long.MIN_VALUE)));
                    });
        }
    }

    @Test
    default void aPeekThatWaitsLeavesTheCoreAlone() {
        try (DeviceJob job = open(1, "sluice.peek", "on")) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            // A guest counts what its host gives to others in between as used.
            Duration wait = Duration.ofMillis(400).multipliedBy(DeviceJob.PATIENCE);
            long before = threads.getCurrentThreadCpuTime();
            assertNull(job.device(0).peek(wait));
            long used = threads.getCurrentThreadCpuTime() - before;
            assertTrue(used < wait.toNanos() / 2, used + " ns of " + wait);
        }
    }

    @Test
    default void peekNeedsItsOption() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> device.peek(Duration.ZERO));
            assertTrue(refused.getMessage().contains("sluice.peek"), refused.getMessage());
        }
    }
}
