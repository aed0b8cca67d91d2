package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Status;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.EagerTaking;
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
 * Something is thrown by a channel that a call is at: the call throws, and the device is ended by whoever looks next,
 * with its locks free (docs/project/adr/0086-one-failure-law.md).
 */
@Timeout(60)
final class FailureLawTest {
    private static final int EAGER_BYTES = 64;
    private static final int LARGE = 1000;

    private final InternalError thrown =
            new InternalError("a fault occurred in a recent unsafe memory access operation");
    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final ReceiveCalls calls;
    private final SendCalls sends;
    private final Route route;

    FailureLawTest() {
        Channel channel = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("trySend")) {
                        throw thrown;
                    }
                    if (method.getName().equals("endpoint")) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    if (method.getName().equals("taking")) {
                        return (EagerTaking) (peer, context, tag, base, address, bytes, size) -> {
                            throw thrown;
                        };
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
                "failure-law-test",
                counters);
        exchange.engine(engine);
        calls = new ReceiveCalls(exchange, engine, null, null);
        sends = new SendCalls(exchange, engine, null, 0);
    }

    @AfterEach
    void theDeviceHasEndedAndItsLocksAreFree() {
        engine.lock();
        try {
            exchange.endIfDue();
        } finally {
            engine.unlock();
        }
        assertSame(thrown, exchange.ended().getCause());
        assertTrue(route.isIdle(), "nothing waits for ever: " + route);
        assertFalse(engine.progressOnce());
        assertTrue(exchange.toString().contains("0 posted"), "nothing is written to any buffer: " + exchange);
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    private void assertThrown(Executable call) {
        assertSame(thrown, assertThrows(InternalError.class, call));
    }

    @Test
    void inABlockingReceive() {
        assertThrown(() -> calls.recv(new byte[8], 0, 8, 1, 0, 1, new Status()));
    }

    @Test
    void inAReceivingRequest() {
        assertThrown(() -> calls.irecv(new byte[8], 0, 8, 1, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void inASend(int bytes) {
        assertThrown(() -> sends.send(route, new byte[bytes], 0, bytes, 1, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void inASynchronousSend(int bytes) {
        assertThrown(() -> sends.sendAndWait(route, new byte[bytes], 0, bytes, 1, 1, true));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, EAGER_BYTES, LARGE})
    void inASendingRequest(int bytes) {
        assertThrown(() -> sends.isend(route, new byte[bytes], 0, bytes, 1, 1, false));
    }
}
