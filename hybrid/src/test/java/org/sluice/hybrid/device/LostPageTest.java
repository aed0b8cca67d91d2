package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/**
 * A page of a ring that a call touches is gone, and the JVM says so outside of any round: the device ends, with its
 * locks free.
 */
@Timeout(60)
final class LostPageTest {
    private static final int EAGER_BYTES = 64;
    private static final int LARGE = 1000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final ReceiveCalls calls;
    private final SendCalls sends;
    private final Route route;

    LostPageTest() {
        Channel channel = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("takeEager") || method.getName().equals("trySend")) {
                        throw new InternalError("a fault occurred in a recent unsafe memory access operation");
                    }
                    boolean limit = method.getName().equals("eagerLimitBytes");
                    return method.getReturnType() == int.class
                            ? limit ? EAGER_BYTES : 0
                            : method.getReturnType() == boolean.class ? false : null;
                });
        DeferredWork deferred = new DeferredWork();
        route = new Route(0, Locality.SAME_NODE, channel, 1024, 1 << 20, deferred, Fences.SYMMETRIC);
        Route[] routes = {route};
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, 1 << 20, false, counters);
        engine = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(50_000, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "lost-page-test",
                counters);
        exchange.engine(engine);
        calls = new ReceiveCalls(exchange, engine, null, null, counters);
        sends = new SendCalls(exchange, engine, null, 0);
    }

    @AfterEach
    void theLocksAreFree() {
        assertTrue(route.isIdle(), "nothing waits for ever: " + route);
        assertFalse(engine.progressOnce());
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    @Test
    void aBlockingReceiveSaysThatTheDeviceFailed() {
        DeviceCases.assertFails(ErrorCode.DEVICE_FAILED, () -> calls.recv(new byte[8], 0, 8, 0, 1, 1, new Status()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void aSendSaysThatTheDeviceFailed(int bytes) {
        DeviceCases.assertFails(ErrorCode.DEVICE_FAILED, () -> sends.send(route, new byte[bytes], 0, bytes, 1, 1));
        DeviceCases.assertFails(ErrorCode.DEVICE_FAILED, () -> sends.send(route, new byte[bytes], 0, bytes, 1, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void aSynchronousSendSaysThatTheDeviceFailed(int bytes) {
        DeviceCases.assertFails(
                ErrorCode.DEVICE_FAILED, () -> sends.sendAndWait(route, new byte[bytes], 0, bytes, 1, 1, true));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void aSendingRequestSaysThatTheDeviceFailed(int bytes) {
        DeviceCases.assertFails(
                ErrorCode.DEVICE_FAILED, () -> sends.isend(route, new byte[bytes], 0, bytes, 1, 1, false));
        assertEquals(
                ErrorCode.DEVICE_FAILED,
                sends.isend(route, new byte[bytes], 0, bytes, 1, 1, false).error());
    }

    @Test
    void aRequestSaysThatTheDeviceFailed() {
        Request request = calls.irecv(new byte[8], 0, 8, 0, 1, 1);
        assertEquals(ErrorCode.DEVICE_FAILED, request.error());
        assertTrue(exchange.toString().contains("0 posted"), "nothing is written to the buffer any more: " + exchange);
    }
}
