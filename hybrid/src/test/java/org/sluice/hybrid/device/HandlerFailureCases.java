package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.HandlerException;
import org.sluice.device.Handlers;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Handlers that throw, executors that refuse, receivers that take nothing, devices that close and peers that end while
 * handlers run or messages wait for them.
 */
interface HandlerFailureCases extends DeviceCases {
    int ID = HandlerCases.ID;

    /** Whoever hears of what no thread catches, until closed. */
    final class Told implements AutoCloseable {
        private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

        Told(AtomicReference<Throwable> last) {
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> last.set(failure));
        }

        @Override
        public void close() {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    default void whatAHandlerThrowsIsToldAndTheNextMessageIsHandled() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        try (DeviceJob job = open(2);
                Told until = new Told(told)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 10; i++) {
                            device.handlers().syncSend(1, ID, new int[] {i});
                        }
                        device.handlers().syncSend(1, ID, new byte[LARGE]);
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        AtomicInteger handled = new AtomicInteger();
                        IllegalStateException cause = new IllegalStateException("the eleventh");
                        device.handlers().register(ID, (source, message) -> {
                            if (handled.incrementAndGet() == 11) {
                                throw cause;
                            } else if (message.getInt(0) == 3) {
                                throw new AssertionError("an error too");
                            }
                        });
                        HandlerCases.serve(device);
                        HandlerException failure = (HandlerException) told.get();
                        assertSame(cause, failure.getCause());
                        assertEquals(ID, failure.handler());
                        assertEquals(0, failure.source());
                        assertEquals(LARGE, failure.bytes());
                        assertTrue(
                                failure.getMessage()
                                        .contains(
                                                "handler 7 of rank 1 threw for a message of 600000 bytes from rank 0"),
                                failure::getMessage);
                        assertEquals(11, handled.get());
                        assertEquals(2, device.counters().get("handlers.failed"));
                    });
        }
    }

    @Test
    default void anExecutorThatRefusesIsToldOf() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        try (DeviceJob job = open(2);
                Told until = new Told(told)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new int[1]);
                        device.handlers().syncSend(1, HandlerCases.STOP_ID, null);
                    },
                    device -> {
                        device.handlers().register(ID, (source, message) -> {}, task -> {
                            throw new RejectedExecutionException("shut down");
                        });
                        HandlerCases.serve(device);
                        assertEquals(1, device.counters().get("handlers.failed"));
                        assertTrue(told.get().getMessage().contains("was refused by its executor"), told::toString);
                    });
        }
    }

    @Test
    default void mistakesAreThrownAtOnce() {
        try (DeviceJob job = open(1)) {
            job.run(device -> {
                Handlers handlers = device.handlers();
                assertSame(handlers, device.handlers());
                assertThrows(IllegalArgumentException.class, () -> handlers.register(-1, (source, message) -> {}));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> handlers.register(Handlers.HIGHEST_ID + 1, (source, message) -> {}));
                assertThrows(IllegalArgumentException.class, () -> handlers.register(ID, null));
                handlers.register(ID, (source, message) -> {});
                assertThrows(IllegalStateException.class, () -> handlers.register(ID, (source, message) -> {}));
                handlers.deregister(ID);
                handlers.deregister(ID);
                handlers.deregister(ID + 1000);
                handlers.register(ID, (source, message) -> {});
                assertThrows(IllegalArgumentException.class, () -> handlers.syncSend(0, -1, null));
                assertThrows(IllegalArgumentException.class, () -> handlers.syncSend(1, ID, null));
                assertThrows(IllegalArgumentException.class, () -> handlers.syncSend(0, ID, "text"));
                assertThrows(IndexOutOfBoundsException.class, () -> handlers.syncSend(0, ID, new int[1], 1, 1));
                device.close();
                DeviceCases.assertFails(ErrorCode.DEVICE_CLOSED, () -> handlers.syncSend(0, ID, null));
                DeviceCases.assertFails(ErrorCode.DEVICE_CLOSED, handlers::serve);
                DeviceCases.assertFails(
                        ErrorCode.DEVICE_CLOSED, () -> handlers.register(ID + 1, (source, message) -> {}));
            });
        }
    }

    /** A stop that comes before the call that it is for isn't lost; a close ends one that nobody stops. */
    @Test
    default void serveEndsWithAStopOrWithTheDevice() {
        try (DeviceJob job = open(1)) {
            job.run(device -> {
                device.handlers().stop();
                device.handlers().serve();
                CountDownLatch serving = new CountDownLatch(1);
                Thread closer = new Thread(() -> {
                    try {
                        serving.await();
                        Thread.sleep(50);
                    } catch (InterruptedException e) {
                        return;
                    }
                    device.close();
                });
                closer.start();
                serving.countDown();
                DeviceCases.assertFails(
                        ErrorCode.DEVICE_CLOSED, () -> device.handlers().serve());
                closer.join();
            });
        }
    }

    /**
     * Close waits for the handler that runs, which reads its message to the end; what waits behind it isn't handled,
     * and its sender is not left waiting.
     */
    @Test
    default void aCloseWaitsForTheHandlerThatRuns() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new int[] {1});
                        MessageBuffer large = device.allocate(LARGE);
                        Request given = device.handlers().give(1, ID, large, LARGE);
                        assertEndsByTheClose(given);
                    },
                    device -> HandlerCases.withPool(1, pool -> {
                        CountDownLatch begun = new CountDownLatch(1);
                        AtomicInteger read = new AtomicInteger();
                        AtomicInteger handled = new AtomicInteger();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> {
                                            begun.countDown();
                                            handled.incrementAndGet();
                                            sleep(200);
                                            read.set(message.getInt(0));
                                        },
                                        pool);
                        while (begun.getCount() != 0) {
                            device.progress();
                        }
                        long start = System.nanoTime();
                        device.close();
                        assertEquals(
                                1,
                                read.get(),
                                "after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
                        assertEquals(1, handled.get());
                    }));
        }
    }

    /** What was fetched ahead of its turn is the receiver's, handled or not; all else fails. */
    private static void assertEndsByTheClose(Request given) {
        try {
            given.waitFor();
        } catch (SluiceException e) {
            assertEquals(ErrorCode.PEER_CLOSED, e.code(), e::getMessage);
        }
    }

    /** One that was on its way when the device closed comes while close waits for another handler. */
    @Test
    default void noHandlerBeginsAfterTheClose() {
        assumeTrue(
                !options().containsKey("sluice.progress.threads"),
                "a thread of the device may begin it just before the close");
        try (DeviceJob job = open(3)) {
            job.run(
                    device -> {
                        device.recv(null, 1, 1);
                        try {
                            device.handlers().syncSend(1, ID, new byte[16 << 20]);
                        } catch (SluiceException e) {
                            assertEquals(ErrorCode.PEER_CLOSED, e.code());
                        }
                    },
                    device -> HandlerCases.withPool(1, pool -> {
                        CountDownLatch begun = new CountDownLatch(1);
                        AtomicInteger handled = new AtomicInteger();
                        device.handlers().register(ID, (source, message) -> handled.incrementAndGet());
                        device.handlers()
                                .register(
                                        ID + 1,
                                        (source, message) -> {
                                            begun.countDown();
                                            sleep(200);
                                        },
                                        pool);
                        device.send(null, 2, 1);
                        device.send(null, 0, 1);
                        long before = device.counters().get("copied.bytes");
                        while (begun.getCount() != 0
                                || handled.get() == 0 && device.counters().get("copied.bytes") == before) {
                            device.progress();
                        }
                        int handledBefore = handled.get();
                        device.close();
                        assertEquals(handledBefore, handled.get());
                    }),
                    device -> {
                        device.recv(null, 1, 1);
                        device.handlers().syncSend(1, ID + 1, new int[1]);
                    });
        }
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A handler that outlasts the close gets an exception, not another's memory; and one may close its own device. */
    @Test
    default void aHandlerThatOutlastsTheCloseReadsNoMore() {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "100")) {
            job.run(
                    device -> device.handlers().syncSend(1, ID, new int[] {1}),
                    device -> HandlerCases.withPool(1, pool -> {
                        CountDownLatch begun = new CountDownLatch(1);
                        CountDownLatch closed = new CountDownLatch(1);
                        CountDownLatch over = new CountDownLatch(1);
                        AtomicReference<Throwable> thrown = new AtomicReference<>();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> {
                                            begun.countDown();
                                            while (closed.getCount() != 0) {
                                                sleep(10);
                                            }
                                            try {
                                                message.getInt(0);
                                            } catch (IllegalStateException e) {
                                                thrown.set(e);
                                            }
                                            over.countDown();
                                        },
                                        pool);
                        while (begun.getCount() != 0) {
                            device.progress();
                        }
                        device.close();
                        closed.countDown();
                        assertTrue(over.await(10, TimeUnit.SECONDS));
                        assertTrue(thrown.get() != null, "the message was read after the device had closed");
                    }));
        }
    }

    @Test
    default void aHandlerMayCloseItsDevice() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new int[1]);
                        try {
                            device.handlers().syncSend(1, ID, new int[1]);
                        } catch (SluiceException e) {
                            assertEquals(ErrorCode.PEER_CLOSED, e.code());
                        }
                    },
                    device -> {
                        AtomicInteger handled = new AtomicInteger();
                        device.handlers().register(ID, (source, message) -> {
                            handled.incrementAndGet();
                            device.close();
                        });
                        DeviceCases.assertFails(
                                ErrorCode.DEVICE_CLOSED, () -> device.handlers().serve());
                        assertEquals(1, handled.get());
                    });
        }
    }

    /** What a rank sent before it closed is handled where its bytes are here; what isn't is told of. */
    @Test
    default void messagesOfARankThatClosedAreHandled() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 5; i++) {
                            device.handlers().syncSend(1, ID, new int[] {i});
                        }
                        device.recv(null, 1, 1);
                        device.close();
                    },
                    device -> {
                        AtomicInteger handled = new AtomicInteger();
                        device.send(null, 0, 1);
                        if (hasRoomForEager()) {
                            DeviceCases.assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(null, 0, 2));
                        }
                        device.handlers().register(ID, (source, message) -> handled.addAndGet(1 + message.getInt(0)));
                        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                        while (handled.get() < 15 && System.nanoTime() - end < 0) {
                            device.progress();
                        }
                        assertEquals(15, handled.get());
                        DeviceCases.assertFails(ErrorCode.PEER_CLOSED, () -> {
                            while (true) {
                                device.handlers().syncSend(0, ID, new byte[8]);
                            }
                        });
                    });
        }
    }

    /**
     * Whether the peer had closed before, or closes while messages to it are kept: from then on a handler's sends
     * throw, as all sends do.
     */
    @Test
    default void aHandlerThatSendsToARankThatHasClosedIsTold() {
        assumeTrue(
                hasRoomForEager(),
                "a sender waits for a handler where this suite gives eager messages no room, and can't close");
        AtomicReference<SluiceException> thrown = new AtomicReference<>();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new int[1]);
                        device.close();
                    },
                    device -> {
                        CountDownLatch over = new CountDownLatch(1);
                        device.handlers().register(ID, (source, message) -> {
                            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
                            try {
                                while (System.nanoTime() - end < 0) {
                                    device.progress();
                                    device.handlers().syncSend(0, ID, new byte[8]);
                                }
                            } catch (SluiceException e) {
                                thrown.set(e);
                            }
                            over.countDown();
                        });
                        while (over.getCount() != 0) {
                            device.progress();
                        }
                        assertTrue(thrown.get() != null, "the messages are lost, and nobody was told");
                        assertEquals(ErrorCode.PEER_CLOSED, thrown.get().code());
                    });
        }
    }

    /** The receiver takes nothing until all are sent. */
    @Test
    default void aSendOnARouteInAHandlerDoesNotWait() {
        int messages = many(100);
        try (DeviceJob job = open(2, "sluice.eager.share.bytes", "65536")) {
            Flag sent = job.flag();
            job.run(
                    device -> {
                        try (PersistentRoute route = device.handlers().openRoute(1, ID, 8000, 1)) {
                            device.handlers().register(HandlerCases.OTHER_ID, (source, message) -> {
                                for (int i = 0; i < messages; i++) {
                                    route.send(new int[] {i});
                                    int[] large = new int[2000];
                                    large[0] = i;
                                    route.send(large);
                                }
                                sent.raise();
                            });
                            device.barrier();
                            HandlerCases.serve(device);
                            device.barrier();
                        }
                    },
                    device -> {
                        AtomicInteger handled = new AtomicInteger();
                        AtomicInteger wrong = new AtomicInteger();
                        device.barrier();
                        device.handlers().syncSend(0, HandlerCases.OTHER_ID, null);
                        assertTrue(sent.await(5), "a handler waits for room");
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> wrong.addAndGet(
                                                message.getInt(0) == handled.getAndIncrement() / 2 ? 0 : 1));
                        while (handled.get() < 2 * messages) {
                            device.progress();
                        }
                        assertEquals(0, wrong.get());
                        device.handlers().syncSend(0, HandlerCases.STOP_ID, null);
                        device.barrier();
                    });
        }
    }

    /** With a progress thread the program need not call at all, and its handlers run on that one. */
    @Test
    default void aProgressThreadRunsHandlers() {
        try (DeviceJob job = open(2, "sluice.progress.threads", "1")) {
            job.run(
                    device -> {
                        for (int i = 0; i < 10; i++) {
                            device.handlers().syncSend(1, ID, new byte[i % 2 == 0 ? 8 : LARGE]);
                        }
                        device.barrier();
                    },
                    device -> {
                        CountDownLatch all = new CountDownLatch(10);
                        AtomicReference<String> wrong = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            if (!Thread.currentThread().getName().startsWith("sluice-progress")) {
                                wrong.set(Thread.currentThread().getName());
                            }
                            all.countDown();
                        });
                        assertTrue(all.await(20, TimeUnit.SECONDS), "the program doesn't call the device");
                        assertEquals(null, wrong.get());
                        device.barrier();
                        assertFalse(Thread.currentThread().isInterrupted());
                    });
        }
    }
}
