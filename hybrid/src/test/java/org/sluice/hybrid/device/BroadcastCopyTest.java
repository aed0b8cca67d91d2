package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
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

/** A message that is kept for several ranks, of whose sends one throws: its copy is freed. */
final class BroadcastCopyTest {
    private static final int EAGER_BYTES = 64;
    private static final int LARGE = 1000;

    private final RuntimeException thrown = new IllegalStateException("a channel that broke");
    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Route[] routes = new Route[3];
    private int living;

    private final MessageAllocator allocator = new MessageAllocator() {
        @Override
        public long allocate(long bytes) {
            living++;
            return Memory.allocate(bytes);
        }

        @Override
        public void free(long address, long bytes) {
            living--;
            Memory.free(address);
        }
    };

    /** No room for any but the second, where it throws. */
    private Object answer(Object proxy, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("endpoint")) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        if (method.getName().equals("trySend")) {
            if ((int) arguments[0] == 1) {
                throw thrown;
            }
            return Channel.NO_RESOURCE;
        }
        boolean limit = method.getName().equals("eagerLimitBytes");
        return method.getReturnType() == int.class
                ? limit ? EAGER_BYTES : 0
                : method.getReturnType() == boolean.class ? false : null;
    }

    @Test
    void theCopyIsFreedWhereASendThrows() {
        Channel channel = (Channel)
                Proxy.newProxyInstance(Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, this::answer);
        DeferredWork deferred = new DeferredWork();
        for (int peer = 0; peer < routes.length; peer++) {
            routes[peer] = new Route(peer, Locality.SAME_NODE, channel, 1024, 1 << 20, deferred, Fences.SYMMETRIC);
        }
        Exchange exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, 1 << 20, false, new Counters());
        ProgressEngine engine = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(50_000, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "broadcast-copy-test",
                new Counters());
        exchange.engine(engine);
        SendCalls sends = new SendCalls(exchange, engine, null, 0);
        MessageMemory copy = new MessageMemory(allocator, LARGE);
        Broadcast broadcast = new Broadcast(sends, routes.clone(), 2, 1);
        SluiceException failure = assertThrows(SluiceException.class, () -> broadcast.sendCopy(copy, LARGE));
        assertEquals(ErrorCode.DEVICE_FAILED, failure.code());
        assertSame(thrown, exchange.ended().getCause());
        assertEquals(0, living);
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }
}
