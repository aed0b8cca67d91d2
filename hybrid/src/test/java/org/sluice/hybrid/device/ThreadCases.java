package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** Several threads of one rank in the same calls at once. */
interface ThreadCases extends DeviceCases {
    int THREADS = 4;
    int WINDOW = 12;

    @Test
    default void threadsWaitForAnyAndForSomeOfTheirOwnRequests() {
        int rounds = many(100);
        try (DeviceJob job = open(2)) {
            job.runAll(device -> ProbeCases.threads(THREADS, thread -> {
                for (int round = 0; round < rounds; round++) {
                    exchangeWindow(device, thread, round);
                }
            }));
        }
    }

    /** A window of messages to and from the thread of the same number on the other rank. */
    private static void exchangeWindow(Device device, int thread, int round) {
        int other = 1 - device.rank();
        int[][] into = new int[WINDOW][];
        Request[] requests = new Request[2 * WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            int tag = thread * WINDOW + i;
            int[] body = body(device.rank(), round, tag);
            into[i] = new int[body.length];
            requests[i] = device.irecv(into[i], other, tag);
            requests[WINDOW + i] = i % 3 == 0 ? device.issend(body, other, tag) : device.isend(body, other, tag);
        }
        for (int left = requests.length; left > 0; ) {
            int[] done = thread % 2 == 0 ? new int[] {device.waitAny(requests)} : device.waitSome(requests);
            assertTrue(done.length > 0, "none is done");
            for (int index : done) {
                Status status = requests[index].waitFor();
                if (index < WINDOW) {
                    int tag = thread * WINDOW + index;
                    SendCases.assertStatus(status, other, tag, 0, into[index].length * 4L);
                    assertArrayEquals(body(other, round, tag), into[index]);
                }
                requests[index] = null;
                left--;
            }
        }
    }

    /** Of the same length from both ranks. */
    private static int[] body(int rank, int round, int tag) {
        int[] body = new int[(round + tag) % 40 == 0 ? LARGE / 4 : 1 + (round + tag) % 40];
        Arrays.fill(body, (rank * 1000 + round) * 1000 + tag);
        return body;
    }

    @Test
    default void threadsThatPeekGetEachRequestOnce() {
        int each = many(500);
        try (DeviceJob job = open(2, "sluice.peek", "on")) {
            job.run(
                    device -> {
                        Request[] requests = new Request[THREADS * each];
                        for (int i = 0; i < requests.length; i++) {
                            requests[i] = device.isend(new int[] {i}, 1, i % THREADS);
                        }
                        device.waitAll(requests);
                    },
                    device -> {
                        Set<Request> made = ConcurrentHashMap.newKeySet();
                        Set<Request> peeked = ConcurrentHashMap.newKeySet();
                        // Each adds one before it takes one, so there is one for everybody who looks.
                        ProbeCases.threads(THREADS, thread -> {
                            for (int i = 0; i < each; i++) {
                                made.add(device.irecv(new int[1], 0, thread));
                                Request done = device.peek(Duration.ofSeconds(20));
                                assertNotNull(done, "one is left, and nobody gets it");
                                assertTrue(done.isDone());
                                assertTrue(peeked.add(done), () -> "returned twice: " + done);
                            }
                        });
                        assertEquals(made, peeked);
                    });
        }
    }

    /** Each in its own way, and some messages are longer than their receive. */
    @Test
    default void threadsThatWaitForOneRequestAllGetHowItEnded() {
        int rounds = many(300);
        int waiters = 3;
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int round = 0; round < rounds; round++) {
                            if (round % 20 == 0) {
                                // Long enough for those who wait to park.
                                Thread.sleep(5);
                            }
                            device.send(pattern(round, length(round)), 1, round);
                            for (int i = 0; i < waiters; i++) {
                                device.recv(null, 1, rounds);
                            }
                        }
                    },
                    device -> {
                        byte[][] into = new byte[rounds][];
                        Request[] requests = new Request[rounds];
                        for (int round = 0; round < rounds; round++) {
                            into[round] = new byte[isCut(round) ? 1 : length(round)];
                            requests[round] = device.irecv(into[round], 0, round);
                        }
                        ProbeCases.threads(waiters, thread -> {
                            for (int round = 0; round < rounds; round++) {
                                checkEnd(device, requests[round], round, into[round], thread);
                                device.send(null, 0, rounds);
                            }
                        });
                    });
        }
    }

    private static int length(int round) {
        return round % 10 == 0 ? LARGE : 8 + round;
    }

    private static boolean isCut(int round) {
        return round % 7 == 3;
    }

    private static void checkEnd(Device device, Request request, int round, byte[] into, int thread) {
        if (isCut(round)) {
            SluiceException cut = assertFails(ErrorCode.TRUNCATED, () -> waitFor(device, request, thread));
            assertEquals(round, cut.status().tag());
            assertEquals(length(round), cut.status().bytes());
        } else {
            SendCases.assertStatus(waitFor(device, request, thread), 0, round, 0, length(round));
            assertArrayEquals(pattern(round, length(round)), into);
        }
    }

    private static Status waitFor(Device device, Request request, int thread) {
        switch (thread) {
            case 0:
                return request.waitFor();
            case 1:
                return request.waitFor(20, TimeUnit.SECONDS);
            default:
                assertEquals(0, device.waitAny(request));
                return request.test();
        }
    }

    /** However they mix, the n-th barrier of a rank that returns has met the n-th of every other. */
    @Test
    default void barriersOfSeveralThreadsHoldEverybody() {
        int ranks = 3;
        int each = many(100);
        AtomicIntegerArray entered = new AtomicIntegerArray(ranks);
        AtomicIntegerArray left = new AtomicIntegerArray(ranks);
        try (DeviceJob job = open(ranks)) {
            job.runAll(device -> ProbeCases.threads(THREADS, thread -> {
                for (int i = 0; i < each; i++) {
                    entered.incrementAndGet(device.rank());
                    device.barrier();
                    int through = left.incrementAndGet(device.rank());
                    for (int rank = 0; rank < ranks; rank++) {
                        assertTrue(
                                entered.get(rank) >= through, "rank " + rank + " has not come to barrier " + through);
                    }
                }
            }));
        }
    }
}
