package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Looking at messages before they are received. */
interface ProbeCases extends DeviceCases {
    @Test
    default void probeTellsWhatAReceiveWouldGet() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int size : SIZES) {
                            device.recv(null, 1, 9);
                            Thread.sleep(5);
                            device.send(pattern(size, size), 1, size);
                        }
                    },
                    device -> {
                        for (int size : SIZES) {
                            device.send(null, 0, 9);
                            SendCases.assertStatus(device.probe(ANY_SOURCE, ANY_TAG), 0, size, 0, size);
                            SendCases.assertStatus(device.probe(0, size), 0, size, 0, size);
                            SendCases.assertStatus(device.iprobe(0, ANY_TAG), 0, size, 0, size);
                            assertNull(device.iprobe(0, size + 1));
                            assertNull(device.iprobe(1, ANY_TAG));
                            byte[] into = new byte[size];
                            device.recv(into, ANY_SOURCE, size);
                            assertArrayEquals(pattern(size, size), into);
                            assertNull(device.iprobe(ANY_SOURCE, size));
                        }
                    });
        }
    }

    @Test
    default void iprobeSeesAMessageThatComesWhileNobodyWaits() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        Thread.sleep(30);
                        device.send(new byte[5], 1, 3);
                    },
                    device -> {
                        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                        Status status = null;
                        while (status == null && System.nanoTime() < deadline) {
                            status = device.iprobe(ANY_SOURCE, 3);
                        }
                        assertNotNull(status);
                        Message message = null;
                        while (message == null && System.nanoTime() < deadline) {
                            message = device.improbe(0, 3);
                        }
                        assertNotNull(message);
                        assertEquals(5, message.recv(new byte[5]).bytes());
                    });
        }
    }

    @Test
    default void aMatchedProbeTakesTheMessageOut() {
        for (int size : new int[] {16, LARGE}) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            device.send(pattern(1, size), 1, 1);
                            device.send(pattern(2, size), 1, 1);
                            device.send(pattern(3, size), 1, 1);
                        },
                        device -> {
                            Message first = device.mprobe(ANY_SOURCE, ANY_TAG);
                            SendCases.assertStatus(first.status(), 0, 1, 0, size);
                            assertSame(first.status(), first.status());
                            byte[] later = new byte[size];
                            Request second = device.irecv(later, 0, 1);
                            byte[] into = new byte[size];
                            SendCases.assertStatus(first.recv(into), 0, 1, 0, size);
                            assertArrayEquals(pattern(1, size), into);
                            IllegalStateException again =
                                    assertThrows(IllegalStateException.class, () -> first.recv(into));
                            assertTrue(again.getMessage().contains("already"), again.getMessage());
                            assertThrows(IllegalStateException.class, () -> first.irecv(into, 0, 1));
                            assertThrows(IllegalStateException.class, first::recvInPlace);
                            second.waitFor();
                            assertArrayEquals(pattern(2, size), later);
                            Message third = device.mprobe(0, 1);
                            assertThrows(IndexOutOfBoundsException.class, () -> third.recv(into, 1, size));
                            byte[] half = new byte[size];
                            assertFails(ErrorCode.TRUNCATED, () -> third.recv(half, 0, size / 2));
                            assertArrayEquals(
                                    java.util.Arrays.copyOf(java.util.Arrays.copyOf(pattern(3, size), size / 2), size),
                                    half);
                            assertNull(device.improbe(ANY_SOURCE, ANY_TAG));
                        });
            }
        }
    }

    @Test
    default void matchedProbesOfSeveralThreadsEachGetAMessageOfTheirOwn() {
        int messages = 800;
        try (DeviceJob job = open(2)) {
            BitSet seen = new BitSet();
            RankBody prober = device -> {
                while (true) {
                    Message message = device.mprobe(0, 1);
                    int[] into = new int[(int) message.status().bytes() / 4];
                    message.recv(into);
                    if (into[0] < 0) {
                        return;
                    }
                    synchronized (seen) {
                        assertTrue(!seen.get(into[0]), into[0] + " was received twice");
                        seen.set(into[0]);
                    }
                }
            };
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            int[] body = new int[i % 16 == 0 ? 5000 : 1 + i % 7];
                            body[0] = i;
                            device.send(body, 1, 1);
                        }
                        for (int i = 0; i < 4; i++) {
                            device.send(new int[] {-1}, 1, 1);
                        }
                    },
                    device -> {
                        threads(4, thread -> prober.run(device));
                        assertEquals(messages, seen.cardinality());
                    });
        }
    }

    /** What one of several threads does. */
    interface ThreadBody {
        void run(int thread) throws Exception;
    }

    /** Runs a body on several threads and returns when all are through. */
    static void threads(int count, ThreadBody body) throws Exception {
        CompletableFuture<?>[] ended = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            int self = i;
            CompletableFuture<Void> end = new CompletableFuture<>();
            ended[i] = end;
            Thread thread = new Thread(
                    () -> {
                        try {
                            body.run(self);
                            end.complete(null);
                        } catch (Throwable e) {
                            end.completeExceptionally(e);
                        }
                    },
                    "rank-body-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        CompletableFuture<?> firstFailure = new CompletableFuture<>();
        for (CompletableFuture<?> end : ended) {
            end.whenComplete((none, failure) -> {
                if (failure != null) {
                    firstFailure.completeExceptionally(failure);
                }
            });
        }
        CompletableFuture.anyOf(CompletableFuture.allOf(ended), firstFailure).get();
    }
}
