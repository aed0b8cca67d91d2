package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

/** Executors that throw although they have queued the task, or run it. */
final class HandlerRefusalTest {
    /**
     * As one does that has the task in its queue and can start no thread: what waits there is not for the next message.
     */
    @Test
    void whatAnExecutorQueuedBeforeItRefusedIsNotHandled() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread (by this test)");
        try (DeviceJob job = DeviceJob.open(2, Map.of());
                HandlerFailureCases.Told until = new HandlerFailureCases.Told(told)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 3; i++) {
                            device.handlers().syncSend(1, HandlerCases.ID, new int[] {i});
                        }
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        AtomicInteger submitted = new AtomicInteger();
                        List<Integer> handled = new CopyOnWriteArrayList<>();
                        device.handlers()
                                .register(
                                        HandlerCases.ID, (source, message) -> handled.add(message.getInt(0)), task -> {
                                            queue.add(task);
                                            if (submitted.incrementAndGet() == 1) {
                                                throw noThread;
                                            }
                                        });
                        runNext(device, queue, 2);
                        assertEquals(
                                List.of(),
                                handled,
                                "the memory of the message that was refused is given back, and the next one's turn is"
                                        + " in the queue");
                        while (handled.size() < 2) {
                            runNext(device, queue, 1);
                        }
                        HandlerCases.serve(device);
                        assertEquals(List.of(1, 2), handled);
                        assertSame(noThread, told.get().getCause());
                        assertEquals(1, device.counters().get("handlers.failed"));
                        assertTrue(device.toString().contains("0 running"), device::toString);
                    });
        }
    }

    private static void runNext(Device device, Queue<Runnable> queue, int size) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20L * DeviceJob.PATIENCE);
        while (queue.size() < size) {
            device.progress();
            assertTrue(
                    System.nanoTime() - end < 0,
                    () -> queue.size() + " in the queue of the executor, and not " + size + ": " + device);
        }
        queue.remove().run();
    }

    /**
     * A task that others are to have their turn before: where it was queued and refused too, the thread that was at it
     * goes on alone.
     */
    @Test
    void whatAnExecutorQueuedBeforeItRefusedGoesOnOnOneThread() {
        int messages = 200;
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.handlers().syncSend(1, HandlerCases.ID, new int[] {i});
                        }
                        device.send(null, 1, 1);
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        device.recv(null, 0, 1);
                        AtomicInteger submitted = new AtomicInteger();
                        AtomicInteger stale = new AtomicInteger();
                        List<Integer> handled = new CopyOnWriteArrayList<>();
                        device.handlers()
                                .register(
                                        HandlerCases.ID,
                                        (source, message) -> {
                                            handled.add(message.getInt(0));
                                            for (Runnable task; (task = queue.poll()) != null; ) {
                                                stale.incrementAndGet();
                                                runElsewhere(task);
                                            }
                                        },
                                        task -> {
                                            queue.add(task);
                                            if (submitted.incrementAndGet() > 1) {
                                                throw new OutOfMemoryError(
                                                        "unable to create native thread (by this test)");
                                            }
                                        });
                        runNext(device, queue, 1);
                        HandlerCases.serve(device);
                        assertEquals(IntStream.range(0, messages).boxed().toList(), handled);
                        assertTrue(stale.get() >= 2, () -> stale + " tasks were refused in " + messages + " messages");
                        assertTrue(device.toString().contains("0 running"), device::toString);
                    });
        }
    }

    /** As one does that runs what it has no room for, and fails afterwards. */
    @Test
    void whatIsThrownAfterTheMessageWasHandledIsToldAndTheMessageIsHandledOnce() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        IllegalStateException failure = new IllegalStateException("by this test");
        try (DeviceJob job = DeviceJob.open(2, Map.of());
                HandlerFailureCases.Told until = new HandlerFailureCases.Told(told)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, HandlerCases.ID, new int[1]);
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        AtomicInteger handled = new AtomicInteger();
                        device.handlers()
                                .register(HandlerCases.ID, (source, message) -> handled.incrementAndGet(), task -> {
                                    task.run();
                                    throw failure;
                                });
                        HandlerCases.serve(device);
                        assertEquals(1, handled.get());
                        assertSame(failure, told.get());
                        assertEquals(0, device.counters().get("handlers.failed"));
                        assertEquals(2, device.counters().get("handled"));
                        assertTrue(device.toString().contains("0 waiting, 0 running"), device::toString);
                    });
        }
    }

    /**
     * Another thread was so quick that the task is in the queue for the second time when the executor throws for the
     * first.
     */
    @Test
    void whatWasPassedOnBeforeItsExecutorThrewIsNotTheCallersAgain() {
        int messages = 100;
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
        AtomicReference<Throwable> told = new AtomicReference<>();
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread (by this test)");
        try (DeviceJob job = DeviceJob.open(2, Map.of());
                HandlerFailureCases.Told until = new HandlerFailureCases.Told(told)) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.handlers().syncSend(1, HandlerCases.ID, new int[] {i});
                        }
                        device.send(null, 1, 1);
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        device.recv(null, 0, 1);
                        AtomicInteger submitted = new AtomicInteger();
                        List<Integer> handled = new CopyOnWriteArrayList<>();
                        device.handlers()
                                .register(
                                        HandlerCases.ID, (source, message) -> handled.add(message.getInt(0)), task -> {
                                            if (submitted.incrementAndGet() == 1) {
                                                runElsewhere(task);
                                                throw noThread;
                                            }
                                            queue.add(task);
                                        });
                        runNext(device, queue, 1);
                        HandlerCases.serve(device);
                        assertEquals(IntStream.range(0, messages).boxed().toList(), handled);
                        assertSame(noThread, told.get());
                        assertEquals(0, device.counters().get("handlers.failed"));
                        assertTrue(device.toString().contains("0 waiting, 0 running"), device::toString);
                    });
        }
    }

    private static void runElsewhere(Runnable task) {
        Thread other = new Thread(task, "of-the-executor");
        other.start();
        try {
            other.join(TimeUnit.SECONDS.toMillis(20L * DeviceJob.PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertFalse(other.isAlive(), "it is at a lane that another thread has");
    }
}
