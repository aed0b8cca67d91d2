package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerListener;
import org.sluice.device.layer.LayerPromise;
import org.sluice.device.layer.LayerRequest;

/** What a layer above the device is given: contexts of its own, requests that are used again, promises. */
final class LayerTest {
    private static final int LARGE = 600_000;
    private static final int CONTEXT = 5;

    private static void run(String channels, RankBody... bodies) {
        Map<String, String> options = channels.equals("threads") ? Map.of() : Map.of("sluice.channels", channels);
        try (DeviceJob job = DeviceJob.open(bodies.length, options)) {
            job.run(bodies);
        }
    }

    // --- requests that are begun again -------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void requestsAreBegunAgainAndAgain(String channels) {
        for (int size : new int[] {0, 8, LARGE}) {
            int rounds = size == LARGE ? 20 : 500;
            RankBody body = device -> {
                Layer layer = Layer.of(device);
                LayerRequest send = layer.request();
                LayerRequest receive = layer.request();
                byte[] out = new byte[size];
                byte[] in = new byte[size];
                Status status = new Status();
                for (int round = 0; round < rounds; round++) {
                    java.util.Arrays.fill(out, (byte) round);
                    boolean isReceived = layer.irecv(receive, in, 0, WHOLE, 1 - device.rank(), ANY_TAG, CONTEXT);
                    assertEquals(isReceived, receive.isOver() && isReceived);
                    layer.isend(send, out, 0, WHOLE, 1 - device.rank(), round, CONTEXT);
                    receive.waitFor(status);
                    assertTrue(receive.isOver());
                    assertEquals(round, receive.tag());
                    assertEquals(size, receive.bytes());
                    assertEquals(round, status.tag());
                    assertEquals(1 - device.rank(), status.source());
                    assertTrue(size == 0 || in[0] == (byte) round && in[size - 1] == (byte) round);
                    send.waitFor(status);
                    assertTrue(send.isOver());
                }
            };
            run(channels, body, body);
        }
    }

    @Test
    void oneThatFailedIsBegunAgain() {
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            LayerRequest receive = layer.request();
            layer.send(new byte[4], 0, WHOLE, other, 1, CONTEXT);
            layer.irecv(receive, new byte[2], 0, WHOLE, other, 1, CONTEXT);
            assertEquals(
                    ErrorCode.TRUNCATED,
                    assertThrows(SluiceException.class, receive::waitFor).code());
            layer.irecv(receive, new byte[2], 0, WHOLE, other, 2, CONTEXT);
            assertTrue(receive.cancel());
            assertEquals(
                    ErrorCode.CANCELLED,
                    assertThrows(SluiceException.class, receive::waitFor).code());
            layer.irecv(receive, new byte[2], 0, WHOLE, other, 3, CONTEXT);
            layer.send(new byte[2], 0, WHOLE, other, 3, CONTEXT);
            assertEquals(2, receive.waitFor().bytes());
            assertEquals(ErrorCode.NONE, receive.error());
        };
        run("threads", body, body);
    }

    /** What was never begun again is not in flight. */
    @Test
    void aMistakeLeavesARequestAsItWas() {
        run("threads", device -> {
            Layer layer = Layer.of(device);
            LayerRequest request = layer.request();
            layer.send(new byte[1], 0, WHOLE, 0, 1, CONTEXT);
            layer.irecv(request, new byte[1], 0, WHOLE, 0, 1, CONTEXT);
            request.waitFor();
            Class<IllegalArgumentException> refused = IllegalArgumentException.class;
            for (int context : new int[] {-1, Layer.HIGHEST_CONTEXT + 1}) {
                assertThrows(refused, () -> layer.isend(request, new byte[1], 0, WHOLE, 0, 1, context));
                assertThrows(refused, () -> layer.irecv(request, new byte[1], 0, WHOLE, 0, 1, context));
            }
            assertThrows(refused, () -> layer.isend(request, new byte[1], 0, WHOLE, 0, -1, CONTEXT));
            assertThrows(refused, () -> layer.irecv(request, new byte[1], 0, WHOLE, 1, 1, CONTEXT));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> layer.irecv(request, new byte[1], 2, WHOLE, 0, 1, CONTEXT));
            assertTrue(request.isOver());
            assertEquals(1, request.waitFor().bytes());
        });
    }

    // --- listeners ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void aListenerIsToldOnceOfEachEndThatWasNotAtOnce(String channels) {
        int rounds = 300;
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            AtomicInteger told = new AtomicInteger();
            AtomicReference<LayerRequest> of = new AtomicReference<>();
            LayerRequest receive = layer.request(ended -> {
                assertTrue(ended.isOver());
                of.set(ended);
                told.incrementAndGet();
            });
            int expected = 0;
            for (int round = 0; round < rounds; round++) {
                boolean isFirst = (round + device.rank()) % 2 == 0;
                byte[] in = new byte[round % 50 == 0 ? LARGE : 8];
                if (isFirst) {
                    // There before it is asked for, or soon.
                    layer.isend(in.clone(), 0, WHOLE, other, 1, CONTEXT);
                }
                expected += layer.irecv(receive, in, 0, WHOLE, other, 1, CONTEXT) ? 0 : 1;
                if (!isFirst) {
                    layer.isend(in.clone(), 0, WHOLE, other, 1, CONTEXT).waitFor();
                }
                receive.waitFor();
                awaitTold(device, told, expected);
            }
            assertTrue(expected > 0, "all were over at once");
            assertSame(receive, of.get());
            device.barrier();
            assertEquals(expected, told.get());
        };
        run(channels, body, body);
    }

    private static void awaitTold(Device device, AtomicInteger told, int expected) {
        while (told.get() < expected) {
            device.progress();
            Thread.onSpinWait();
        }
        assertEquals(expected, told.get());
    }

    @Test
    void aListenerHearsOfWhatIsCancelledOrCutOff() {
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            List<ErrorCode> codes = new ArrayList<>();
            AtomicInteger told = new AtomicInteger();
            LayerRequest receive = layer.request(ended -> {
                codes.add(ended.error());
                told.incrementAndGet();
            });
            assertFalse(layer.irecv(receive, new byte[1], 0, WHOLE, other, 1, CONTEXT));
            receive.cancel();
            awaitTold(device, told, 1);
            assertFalse(layer.irecv(receive, new byte[1], 0, WHOLE, other, 2, CONTEXT));
            device.barrier();
            layer.send(new byte[2], 0, WHOLE, other, 2, CONTEXT);
            awaitTold(device, told, 2);
            assertEquals(List.of(ErrorCode.CANCELLED, ErrorCode.TRUNCATED), codes);
        };
        run("threads", body, body);
    }

    /** Nobody waits: each message is answered by the listener that hears of it. */
    @Test
    void listenersBeginRequests() {
        int messages = 2_000;
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            CountDownLatch through = new CountDownLatch(1);
            byte[] in = new byte[8];
            LayerListener answer = new LayerListener() {
                private int count;

                @Override
                public void ended(LayerRequest request) {
                    do {
                        if (++count == messages) {
                            through.countDown();
                            return;
                        }
                        layer.isend(new byte[8], 0, WHOLE, other, count, CONTEXT);
                    } while (layer.irecv(request, in, 0, WHOLE, other, count, CONTEXT));
                }
            };
            LayerRequest receive = layer.request(answer);
            boolean isOver = layer.irecv(receive, in, 0, WHOLE, other, 0, CONTEXT);
            layer.send(new byte[8], 0, WHOLE, other, 0, CONTEXT);
            if (isOver) {
                answer.ended(receive);
            }
            while (!through.await(0, TimeUnit.SECONDS)) {
                device.progress();
            }
        };
        run("threads", body, body);
    }

    // --- contexts ----------------------------------------------------------------------------------------------------

    @Test
    void contextsOfALayerNeverMatchTheDevices() {
        int[] ofLayer = {0, 1, 2, 15, 16, 17, Layer.HIGHEST_CONTEXT};
        int[] ofDevice = {0, 1, 2, 15, 16, 17, Integer.MAX_VALUE};
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            for (int context : ofLayer) {
                layer.send(new int[] {context}, 0, WHOLE, other, 0, context);
            }
            device.barrier();
            for (int context : ofDevice) {
                assertNull(device.iprobe(ANY_SOURCE, ANY_TAG, context));
            }
            device.barrier();
            for (int context : ofDevice) {
                device.send(new int[] {-context}, 0, WHOLE, other, 0, context);
            }
            device.barrier();
            int[] got = new int[1];
            for (int i = ofLayer.length - 1; i >= 0; i--) {
                Status status = new Status();
                layer.recv(got, 0, WHOLE, ANY_SOURCE, ANY_TAG, ofLayer[i], status);
                assertEquals(ofLayer[i], got[0]);
                assertEquals(other, status.source());
                assertNull(layer.iprobe(ANY_SOURCE, ANY_TAG, ofLayer[i]));
            }
            for (int context : ofDevice) {
                device.recv(got, 0, WHOLE, ANY_SOURCE, ANY_TAG, context, new Status());
                assertEquals(-context, got[0]);
            }
        };
        run("threads", body, body);
    }

    @Test
    void contextsHaveLimits() {
        run("threads", device -> {
            Layer layer = Layer.of(device);
            byte[] one = new byte[1];
            for (int context : new int[] {-1, Layer.HIGHEST_CONTEXT + 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                List<Executable> calls = List.of(
                        () -> layer.send(one, 0, WHOLE, 0, 0, context),
                        () -> layer.ssend(one, 0, WHOLE, 0, 0, context),
                        () -> layer.isend(one, 0, WHOLE, 0, 0, context),
                        () -> layer.issend(one, 0, WHOLE, 0, 0, context),
                        () -> layer.recv(one, 0, WHOLE, 0, 0, context, new Status()),
                        () -> layer.irecv(one, 0, WHOLE, 0, 0, context, null),
                        () -> layer.probe(0, 0, context),
                        () -> layer.iprobe(0, 0, context),
                        () -> layer.mprobe(0, 0, context, null),
                        () -> layer.improbe(0, 0, context, null));
                for (Executable call : calls) {
                    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
                    assertTrue(refused.getMessage().contains("context " + context), refused.getMessage());
                    assertTrue(refused.getMessage().contains("0 to " + Layer.HIGHEST_CONTEXT), refused.getMessage());
                }
            }
        });
    }

    @Test
    void sourcesAreSaidInTheLayersRanks() {
        int[] ranks = {7, 3};
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            int other = 1 - device.rank();
            Request receive = layer.irecv(new byte[4], 0, WHOLE, ANY_SOURCE, 1, CONTEXT, ranks);
            layer.send(new byte[4], 0, WHOLE, other, 1, CONTEXT);
            Status status = receive.waitFor();
            assertEquals(ranks[other], status.source());
            assertEquals(CONTEXT, status.contextId());
            assertEquals(4, status.bytes());
            assertEquals(ranks[other], receive.test().source());
            Request cancelled = layer.irecv(new byte[4], 0, WHOLE, ANY_SOURCE, 2, CONTEXT, ranks);
            assertTrue(cancelled.cancel());
            assertThrows(SluiceException.class, cancelled::waitFor);
        };
        run("threads", body, body);
    }

    // --- promises ----------------------------------------------------------------------------------------------------

    @Test
    void aPromiseIsSeenByEveryWait() {
        run("threads", device -> {
            LayerPromise promise = Layer.of(device).promise();
            assertFalse(promise.isDone());
            assertNull(promise.test());
            assertNull(promise.waitFor(1, TimeUnit.MILLISECONDS));
            assertEquals(ErrorCode.NONE, promise.error());
            var future = promise.toFuture();
            assertFalse(future.isDone());
            Thread ending = new Thread(() -> promise.succeed(3, 4, 16, 8));
            Request never = device.irecv(new byte[1], 0, 1);
            ending.start();
            assertEquals(1, device.waitAny(never, promise));
            assertTrue(never.cancel());
            for (Status status : List.of(promise.waitFor(), promise.test(), future.join())) {
                assertEquals(3, status.source());
                assertEquals(4, status.tag());
                assertEquals(16, status.bytes());
                assertEquals(2, status.count());
            }
            device.waitAll(promise);
            assertEquals(0, device.waitSome(promise)[0]);
            assertTrue(promise.isDone());
            assertFalse(promise.cancel());
        });
    }

    @Test
    void aPromiseFails() {
        run("threads", device -> {
            LayerPromise promise = Layer.of(device).promise();
            var future = promise.toFuture();
            IllegalStateException cause = new IllegalStateException("why");
            promise.fail(ErrorCode.PEER_DEAD, 0, "what happened", cause);
            for (Executable wait : List.<Executable>of(
                    promise::waitFor,
                    promise::test,
                    () -> promise.waitFor(new Status()),
                    () -> promise.waitFor(1, TimeUnit.SECONDS),
                    () -> device.waitAll(promise))) {
                SluiceException failed = assertThrows(SluiceException.class, wait);
                assertEquals(ErrorCode.PEER_DEAD, failed.code());
                assertEquals(0, failed.peer());
                assertTrue(failed.getMessage().contains("what happened"), failed.getMessage());
                assertSame(cause, failed.getCause());
            }
            assertEquals(0, device.waitAny(promise));
            assertEquals(ErrorCode.PEER_DEAD, promise.error());
            assertThrows(CompletionException.class, future::join);
        });
    }

    @Test
    void aPromiseEndsOnce() {
        run("threads", device -> {
            Layer layer = Layer.of(device);
            LayerPromise kept = layer.promise();
            kept.succeed(1, 2, 3, 1);
            assertThrows(IllegalStateException.class, () -> kept.succeed(4, 5, 6, 1));
            assertThrows(IllegalStateException.class, () -> kept.fail(ErrorCode.TIMEOUT, -1, "late", null));
            assertEquals(1, kept.waitFor().source());
            assertEquals(ErrorCode.NONE, kept.error());
            LayerPromise broken = layer.promise();
            broken.fail(ErrorCode.TIMEOUT, -1, "first", null);
            assertThrows(IllegalStateException.class, () -> broken.succeed(4, 5, 6, 1));
            assertEquals(ErrorCode.TIMEOUT, broken.error());
        });
    }

    // --- what it is and keeps ----------------------------------------------------------------------------------------

    @Test
    void itKeepsOneObjectOfEachType() {
        RankBody body = device -> {
            Layer layer = Layer.of(device);
            assertSame(layer, Layer.of(device));
            assertSame(device, layer.device());
            AtomicInteger made = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            List<StringBuilder> kept = new java.util.concurrent.CopyOnWriteArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> kept.add(layer.kept(StringBuilder.class, given -> {
                    assertSame(layer, given);
                    return new StringBuilder("made " + made.incrementAndGet());
                })));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(1, made.get());
            assertEquals(4, kept.size());
            kept.forEach(each -> assertSame(kept.get(0), each));
            Object other = layer.kept(ArrayList.class, given -> new ArrayList<>());
            assertNotSame(other, kept.get(0));
            assertSame(other, layer.kept(ArrayList.class, given -> null));
        };
        run("threads", body, body);
    }

    @Test
    void anotherDeviceHasNone() {
        Device other = (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(), new Class<?>[] {Device.class}, (proxy, method, arguments) -> "a proxy");
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Layer.of(other));
        assertTrue(refused.getMessage().contains("a proxy"), refused.getMessage());
    }
}
