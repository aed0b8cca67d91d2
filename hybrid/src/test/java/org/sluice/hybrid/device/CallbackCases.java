package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** What dependents of futures may do: call the device, although many of them are due at once. */
interface CallbackCases extends DeviceCases {
    /** How deep dependents run inside each other. */
    final class Nesting {
        private final ThreadLocal<Integer> now = ThreadLocal.withInitial(() -> 0);
        private final AtomicInteger deepest = new AtomicInteger();

        void within(Runnable body) {
            now.set(now.get() + 1);
            deepest.accumulateAndGet(now.get(), Math::max);
            try {
                body.run();
            } finally {
                now.set(now.get() - 1);
            }
        }
    }

    @Test
    default void dependentsThatCallTheDeviceRunOneAfterTheOther() throws Exception {
        int count = many(20_000);
        Nesting nesting = new Nesting();
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<CompletableFuture<Void>> all = new ArrayList<>();
                        for (int i = 0; i < count; i++) {
                            all.add(device.irecv(new byte[8], 1, i).toFuture().handle((status, failure) -> {
                                nesting.within(() -> device.iprobe(0, 1));
                                return null;
                            }));
                        }
                        device.send(new byte[1], 1, 1);
                        CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                                .get(20, TimeUnit.SECONDS);
                        assertEquals(1, nesting.deepest.get(), "each inside the one before uses up the stack");
                        Request self = device.irecv(new byte[3], 0, 5);
                        device.send(new byte[3], 0, 5);
                        assertEquals(3, self.waitFor().bytes(), "the device goes on");
                    },
                    device -> {
                        device.recv(new byte[1], 0, 1);
                        device.close();
                    });
        }
    }

    /** Each send that is over begins the next, and the peer takes them slowly, so that many are over at once. */
    @Test
    default void aChainOfSendsBegunInDependentsGoesThrough() throws Exception {
        int count = many(20_000);
        try (DeviceJob job = open(2)) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            AtomicInteger started = new AtomicInteger();
            AtomicInteger ended = new AtomicInteger();
            job.run(
                    device -> {
                        for (int i = 0; i < 500; i++) {
                            next(device, count, started, ended, over);
                        }
                        over.get(25, TimeUnit.SECONDS);
                        assertEquals(count, ended.get());
                    },
                    device -> {
                        Status status = new Status();
                        byte[] into = new byte[8];
                        for (int i = 0; i < count; i++) {
                            device.recv(into, 0, 1, status);
                        }
                    });
        }
    }

    private static void next(
            Device device, int count, AtomicInteger started, AtomicInteger ended, CompletableFuture<Void> over) {
        // Those that are over at once go on here: a chain of futures that are done already is the program's own
        // recursion.
        while (started.getAndIncrement() < count) {
            CompletableFuture<Status> future = device.isend(new byte[8], 1, 1).toFuture();
            boolean done = future.isDone();
            future.thenRun(() -> {
                if (ended.incrementAndGet() == count) {
                    over.complete(null);
                } else if (!done) {
                    next(device, count, started, ended, over);
                }
            });
            if (!done) {
                return;
            }
        }
    }
}
