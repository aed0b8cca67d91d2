package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Handler;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;

/**
 * Messages that call a handler: order, content, memory, and the calls that a handler may make. What goes wrong stands
 * in {@link HandlerFailureCases}.
 */
interface HandlerCases extends DeviceCases {
    int ID = 7;
    int OTHER_ID = 8;
    /** Of another kind than all others: ends a test's serving. */
    int STOP_ID = Handlers.HIGHEST_ID;

    static byte[] copy(Lease message) {
        byte[] bytes = new byte[(int) message.bytes()];
        message.buffer().get(bytes);
        return bytes;
    }

    /** What a test does with threads of its own. */
    interface PoolBody {
        void run(ExecutorService pool) throws Exception;
    }

    static void withPool(int threads, PoolBody body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            body.run(pool);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Serves until the other rank says that it is through. */
    static void serve(Device device) {
        device.handlers()
                .register(STOP_ID, (source, message) -> device.handlers().stop());
        device.handlers().serve();
    }

    @Test
    default void messagesOfAllSizesComeInOrderWithTheirBytes() {
        int rounds = many(15);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < rounds * SIZES.length; i++) {
                            byte[] body = pattern(i, SIZES[i % SIZES.length]);
                            device.handlers().syncSend(1, i % 3 == 0 ? ID : OTHER_ID, body);
                        }
                        device.handlers().syncSend(1, STOP_ID, null);
                    },
                    device -> {
                        AtomicInteger next = new AtomicInteger();
                        AtomicReference<Throwable> wrong = new AtomicReference<>();
                        Handler handler = (source, message) -> {
                            int i = next.getAndIncrement();
                            try {
                                assertEquals(0, source);
                                assertEquals(
                                        i % 3 == 0 ? ID : OTHER_ID,
                                        message.status().tag());
                                assertArrayEquals(pattern(i, SIZES[i % SIZES.length]), copy(message));
                            } catch (Throwable e) {
                                wrong.compareAndSet(null, e);
                            }
                        };
                        device.handlers().register(ID, handler);
                        device.handlers().register(OTHER_ID, handler);
                        serve(device);
                        assertNull(wrong.get());
                        assertEquals(rounds * SIZES.length, next.get());
                        // The one that stops is counted when it returns, which may be on a thread of the device.
                        while (device.counters().get("handled") == next.get()) {
                            Thread.sleep(1);
                        }
                        assertEquals(next.get() + 1, device.counters().get("handled"), "and the one that stops");
                    });
        }
    }

    private static byte[] pattern(long seed, int bytes) {
        return DeviceCases.pattern(seed, bytes);
    }

    @Test
    default void valuesAreReadWhereTheyLie() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new double[] {1.5, -2.25, 0}, 1, 1);
                        MessageBuffer large = device.handlers().allocate(LARGE);
                        large.putLong(LARGE - 8, 42);
                        device.handlers().syncSend(1, ID, large);
                        large.putLong(LARGE - 8, 43);
                        device.handlers().give(1, ID, large, LARGE).waitFor();
                        assertTrue(large.isClosed(), "given away");
                        device.handlers().syncSend(1, STOP_ID, null);
                    },
                    device -> {
                        List<Object> seen = new CopyOnWriteArrayList<>();
                        AtomicReference<Lease> kept = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            kept.set(message);
                            if (message.bytes() == Double.BYTES) {
                                seen.add(message.getDouble(0));
                                seen.add(message.buffer().getDouble(0));
                                assertThrows(IndexOutOfBoundsException.class, () -> message.getByte(8));
                            } else {
                                seen.add(message.getLong(LARGE - 8));
                                seen.add(message.inPlace());
                            }
                        });
                        serve(device);
                        assertEquals(List.of(-2.25, -2.25, 42L, readsInPlace(), 43L, readsInPlace()), seen);
                        awaitEnd(kept.get());
                    });
        }
    }

    /** Of any length, from outside and from inside a handler, in the order of the calls. */
    @Test
    default void isendNeitherWaitsNorCopies() {
        int[] lengths = {1, 1000, LARGE, 3, 2 * LARGE, 0, LARGE, LARGE + 1, 7};
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<Request> answers = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> {
                            byte[] answer = copy(message);
                            answers.add(device.handlers().isend(1, OTHER_ID, answer));
                            if (answers.size() == lengths.length) {
                                device.handlers().stop();
                            }
                        });
                        Request[] sends = new Request[lengths.length];
                        for (int i = 0; i < lengths.length; i++) {
                            sends[i] = device.handlers().isend(1, ID, pattern(i, lengths[i] + 2), 1, lengths[i]);
                        }
                        device.handlers().serve();
                        device.waitAll(sends);
                        device.waitAll(answers.toArray(new Request[0]));
                        assertEquals(0, device.counters().get("handler.sends.kept"));
                    },
                    device -> {
                        List<byte[]> seen = new CopyOnWriteArrayList<>();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> device.handlers().isend(0, ID, copy(message)));
                        device.handlers().register(OTHER_ID, (source, message) -> {
                            seen.add(copy(message));
                            if (seen.size() == lengths.length) {
                                device.handlers().stop();
                            }
                        });
                        device.handlers().serve();
                        for (int i = 0; i < lengths.length; i++) {
                            byte[] sent = pattern(i, lengths[i] + 2);
                            assertArrayEquals(Arrays.copyOfRange(sent, 1, 1 + lengths[i]), seen.get(i), "message " + i);
                        }
                    });
        }
    }

    /**
     * The handler that stops a serving call may return after that has: until then what it is shown is read, and has no
     * byte.
     */
    static void awaitEnd(Lease message) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!(assertThrows(RuntimeException.class, () -> message.getByte(0)) instanceof IllegalStateException)) {
            assertTrue(System.nanoTime() < deadline, "its handler has returned");
            Thread.onSpinWait();
        }
    }

    /** What comes before its handler, or before anybody asked for handlers at all, waits, and is no receive's. */
    @Test
    default void noReceiveSeesThemAndTheyWaitForTheirHandler() {
        assumeTrue(hasRoomForEager(), "a sender waits for a handler where this suite gives eager messages no room");
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < 20; i++) {
                            device.handlers().syncSend(1, i % 2 == 0 ? ID : OTHER_ID, new int[] {i});
                        }
                        device.send(new int[] {-1}, 1, ID);
                        device.handlers().syncSend(1, STOP_ID, null);
                    },
                    device -> {
                        int[] into = new int[1];
                        assertEquals(4, device.recv(into, ANY_SOURCE, ANY_TAG).bytes());
                        assertEquals(-1, into[0]);
                        assertNull(device.iprobe(ANY_SOURCE, ANY_TAG));
                        List<Integer> seen = new CopyOnWriteArrayList<>();
                        device.handlers().register(OTHER_ID, (source, message) -> seen.add(message.getInt(0)));
                        device.progress();
                        assertEquals(
                                List.of(),
                                seen,
                                "the first is for the other handler, and messages of a rank keep their order");
                        assertTrue(device.toString().contains("for handler " + ID), device::toString);
                        device.handlers().register(ID, (source, message) -> seen.add(message.getInt(0)));
                        serve(device);
                        for (int i = 0; i < 20; i++) {
                            assertEquals(i, seen.get(i));
                        }
                        assertEquals(20, seen.size());
                    });
        }
    }

    /** Both sides' handlers send more than the other has room for: none waits within a handler. */
    @Test
    default void handlersThatFloodEachOtherGetThrough() {
        int seeds = many(50);
        int generations = 6;
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                int other = 1 - device.rank();
                int expected = seeds * ((1 << generations + 1) - 1);
                AtomicInteger handled = new AtomicInteger();
                device.handlers().register(ID, (source, message) -> {
                    int generation = message.getInt(0);
                    if (generation < generations) {
                        // Longer ones now and then, which never go at once.
                        int[] child = new int[generation == 3 ? 20_000 : 500];
                        child[0] = generation + 1;
                        device.handlers().syncSend(other, ID, child);
                        device.handlers().syncSend(other, ID, child, 0, 500);
                    }
                    if (handled.incrementAndGet() == expected) {
                        device.handlers().stop();
                    }
                });
                for (int i = 0; i < seeds; i++) {
                    device.handlers().syncSend(other, ID, new int[1]);
                }
                device.handlers().serve();
                assertEquals(expected, handled.get());
                device.barrier();
            });
        }
    }

    @Test
    default void aHandlerMayCallTheDevice() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, new int[] {5});
                        int[] echo = new int[1];
                        device.recv(echo, 1, 1);
                        assertEquals(5, echo[0]);
                        device.send(new int[LARGE / 4], 1, 2);
                        device.handlers().syncSend(1, STOP_ID, null);
                        device.barrier();
                    },
                    device -> {
                        AtomicReference<Throwable> wrong = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            try {
                                device.send(message.buffer(), source, 1);
                                // Waits, and makes progress by itself.
                                assertEquals(
                                        LARGE,
                                        device.recv(new int[LARGE / 4], source, 2)
                                                .bytes());
                                Request self = device.irecv(new byte[1], 1, 3);
                                device.send(new byte[1], 1, 3);
                                while (!self.isDone()) {
                                    Thread.onSpinWait();
                                }
                                assertThrows(
                                        IllegalStateException.class,
                                        () -> device.handlers().serve());
                            } catch (Throwable e) {
                                wrong.compareAndSet(null, e);
                            }
                        });
                        serve(device);
                        assertNull(wrong.get());
                        device.barrier();
                    });
        }
    }

    /** Whatever thread they run on, the messages of one rank are handled one after the other. */
    @Test
    default void handlersOnExecutorsKeepTheOrderOfARank() {
        int messages = many(3000);
        try (DeviceJob job = open(3)) {
            RankBody sender = device -> {
                for (int i = 0; i < messages; i++) {
                    device.handlers().syncSend(2, i % 5 == 0 ? ID : OTHER_ID, new int[] {i, device.rank()});
                }
                device.handlers().syncSend(2, STOP_ID, null);
                device.barrier();
            };
            job.run(sender, sender, device -> {
                withPool(2, pool -> {
                    int[] next = new int[2];
                    AtomicInteger[] at = {new AtomicInteger(), new AtomicInteger()};
                    AtomicInteger wrong = new AtomicInteger();
                    AtomicInteger stops = new AtomicInteger();
                    Handler handler = (source, message) -> {
                        boolean alone = at[source].incrementAndGet() == 1;
                        if (!alone || message.getInt(0) != next[source]++ || message.getInt(4) != source) {
                            wrong.incrementAndGet();
                        }
                        at[source].decrementAndGet();
                    };
                    device.handlers().register(ID, handler, pool);
                    device.handlers().register(OTHER_ID, handler);
                    device.handlers()
                            .register(
                                    STOP_ID,
                                    (source, message) -> {
                                        if (stops.incrementAndGet() == 2) {
                                            device.handlers().stop();
                                        }
                                    },
                                    Runnable::run);
                    device.handlers().serve();
                    assertEquals(0, wrong.get());
                    assertArrayEquals(new int[] {messages, messages}, next);
                });
                device.barrier();
            });
        }
    }

    /** However many messages there are, no task of such an executor runs within another. */
    @Test
    default void anExecutorMayRunTasksAtOnce() {
        int messages = many(10_000);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.handlers().syncSend(1, ID, new int[] {i});
                        }
                        device.handlers().syncSend(1, STOP_ID, null);
                    },
                    device -> {
                        AtomicInteger next = new AtomicInteger();
                        AtomicInteger deepest = new AtomicInteger();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> {
                                            deepest.accumulateAndGet(
                                                    message.getInt(0) % 1000 == 0
                                                            ? new Throwable().getStackTrace().length
                                                            : 0,
                                                    Math::max);
                                            next.compareAndSet(message.getInt(0), message.getInt(0) + 1);
                                        },
                                        Runnable::run);
                        serve(device);
                        assertEquals(messages, next.get());
                        assertTrue(deepest.get() < 100, deepest + " calls in each other");
                    });
        }
    }

    /** The receiver's memory for what it has not handled is bounded; the sender waits. */
    @Test
    default void aFloodingSenderWaitsForASlowHandler() {
        int bytes = 4000;
        int messages = many(2000);
        long share = messages / 8 * bytes;
        AtomicInteger sent = new AtomicInteger();
        try (DeviceJob job = open(2, "sluice.eager.share.bytes", Long.toString(share))) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            byte[] body = new byte[bytes];
                            body[0] = (byte) i;
                            device.handlers().syncSend(1, ID, body);
                            sent.incrementAndGet();
                        }
                        device.handlers().syncSend(1, STOP_ID, null);
                    },
                    device -> withPool(1, pool -> {
                        CountDownLatch go = new CountDownLatch(1);
                        AtomicInteger handled = new AtomicInteger();
                        AtomicInteger wrong = new AtomicInteger();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) -> {
                                            try {
                                                assertTrue(go.await(20, TimeUnit.SECONDS));
                                            } catch (InterruptedException e) {
                                                wrong.incrementAndGet();
                                            }
                                            if (message.getByte(0) != (byte) handled.getAndIncrement()) {
                                                wrong.incrementAndGet();
                                            }
                                        },
                                        pool);
                        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
                        while (System.nanoTime() - end < 0) {
                            device.progress();
                        }
                        int before = sent.get();
                        assertTrue(
                                before < messages && before <= share / bytes + 1,
                                before + " were sent with nothing handled; the share is " + share);
                        long stored = device.counters().get("copied.bytes");
                        assertTrue(stored <= share, stored + " bytes are stored; the share is " + share);
                        go.countDown();
                        serve(device);
                        assertEquals(0, wrong.get());
                        assertEquals(messages, handled.get());
                    }));
        }
    }

    @Test
    default void aRouteLeadsToAHandler() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (PersistentRoute route = device.handlers().openRoute(1, ID, LARGE, 2)) {
                            MessageBuffer buffer = device.handlers().allocate(LARGE);
                            for (int i = 0; i < 10; i++) {
                                buffer.putInt(0, i);
                                route.send(buffer);
                                device.handlers().syncSend(1, ID, new int[] {100 + i});
                            }
                        }
                        device.handlers().syncSend(1, STOP_ID, null);
                        device.barrier();
                    },
                    device -> {
                        List<Integer> seen = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> seen.add(message.getInt(0)));
                        serve(device);
                        for (int i = 0; i < 10; i++) {
                            assertEquals(i, seen.get(2 * i));
                            assertEquals(100 + i, seen.get(2 * i + 1));
                        }
                        assertEquals(20, seen.size());
                        device.barrier();
                    });
        }
    }

    /** It doesn't wait for the answer there, and its first messages may go in the ordinary way. */
    @Test
    default void aHandlerOpensARoute() {
        int messages = many(100);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<Integer> seen = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> seen.add(message.getInt(0)));
                        device.handlers().syncSend(1, OTHER_ID, null);
                        serve(device);
                        for (int i = 0; i < messages; i++) {
                            assertEquals(i, seen.get(i));
                        }
                        assertEquals(messages, seen.size());
                        int[] got = new int[1];
                        device.recv(got, 1, 5);
                        assertEquals(17, got[0]);
                        device.barrier();
                    },
                    device -> {
                        List<PersistentRoute> routes = new CopyOnWriteArrayList<>();
                        device.handlers().register(OTHER_ID, (source, message) -> {
                            routes.add(device.handlers().openRoute(source, ID, 64, 2));
                            routes.get(0).send(new int[] {0});
                            routes.add(device.openRoute(source, 5, 64, 2));
                            device.handlers().stop();
                        });
                        device.handlers().serve();
                        PersistentRoute route = routes.get(0);
                        for (int i = 1; i < messages; i++) {
                            route.send(new int[] {i});
                        }
                        while (route.isWritten() != RouteTransferCases.isWritten(device)) {
                            // Its answer is the device's work.
                            device.iprobe(0, 99);
                        }
                        device.handlers().syncSend(0, STOP_ID, null);
                        routes.get(1).send(new int[] {17});
                        routes.forEach(PersistentRoute::close);
                        device.barrier();
                    });
        }
    }

    /** A call that waits for something else runs handlers meanwhile, those of messages to oneself too. */
    @Test
    default void handlersRunInsideCallsThatWait() {
        try (DeviceJob job = open(2)) {
            job.runAll(device -> {
                device.handlers().register(ID, (source, message) -> device.isend(new int[] {source}, device.rank(), 1));
                device.handlers().syncSend(device.rank(), ID, new byte[3]);
                device.handlers().syncSend(1 - device.rank(), ID, new byte[3]);
                int[] sources = new int[2];
                device.recv(sources, 0, 1, device.rank(), 1);
                device.recv(sources, 1, 1, device.rank(), 1);
                assertEquals(1, sources[0] + sources[1]);
                device.barrier();
            });
        }
    }
}
