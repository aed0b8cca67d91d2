package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.Status;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.EagerTaking;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/** A program whose messages are always there already: its receives never wait, and yet a dead peer is looked for. */
@Timeout(60)
final class NeverWaitingTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    private final Counters counters = new Counters();
    private final Exchange exchange;
    private final ProgressEngine engine;
    private final ReceiveCalls calls;
    private final DeferredWork deferred = new DeferredWork();
    private int checks;
    private int polls;
    /** Whether a round finds a message, as a look always does. */
    private boolean delivers;

    NeverWaitingTest() {
        Channel channel = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("endpoint")) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    if (method.getName().equals("taking")) {
                        return (EagerTaking) (peer, context, tag, base, address, bytes, size) -> Endpoint.taken(1, 0);
                    }
                    if (method.getName().equals("poll")) {
                        polls++;
                        return deliver((ChannelListener) arguments[0]);
                    }
                    if (method.getName().equals("checkPeers")) {
                        checks++;
                    }
                    Class<?> type = method.getReturnType();
                    return type == int.class
                            ? (Object) 0
                            : type == boolean.class ? (Object) method.getName().equals("prepareSleep") : null;
                });
        Route[] routes = new Route[2];
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.SAME_NODE, channel, 1024, 1 << 20, deferred, Fences.SYMMETRIC);
        }
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, 1 << 20, false, counters);
        engine = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(memory), memory, null),
                new WaitPolicy(50_000, 0, 0),
                Sleeper.napping(),
                0,
                "never-waiting-test",
                counters);
        exchange.engine(engine);
        calls = new ReceiveCalls(exchange, engine, null, null);
    }

    private int deliver(ChannelListener listener) {
        if (!delivers) {
            return 0;
        }
        listener.onPacket(0, PacketKind.EAGER, 1, 1, Memory.address(memory), 0, null);
        return 1;
    }

    @AfterEach
    void stop() {
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    @Test
    void aBlockingReceiverLooksAtThePeers() {
        for (int i = 0; i < 1000; i++) {
            calls.recv(null, 0, 0, 1, 0, 1, new Status());
        }
        assertTrue(checks >= 10, checks + " looks in 1000 receives");
    }

    /** Then no receive is direct, and those that aren't at once are posted. */
    @Test
    void aBlockingReceiverLooksAtThePeersAlsoBesideAReceiveOfAnother() {
        delivers = true;
        engine.lock();
        exchange.post(null, 0, 0, 1, 1, 2, new Completion(null));
        engine.unlock();
        for (int i = 0; i < 1000; i++) {
            calls.recv(null, 0, 0, 1, 0, 1, new Status());
        }
        assertTrue(checks >= 10, checks + " looks in 1000 receives");
    }

    @Test
    void aReceiverOfRequestsLooksAtThePeers() {
        for (int i = 0; i < 1000; i++) {
            assertTrue(calls.irecv(null, 0, 0, 1, 0, 1).isDone());
        }
        assertTrue(checks >= 10, checks + " looks in 1000 receives");
    }

    @Test
    void whileSomethingIsMovingEachReceiveMakesARound() {
        for (boolean requests : new boolean[] {false, true}) {
            polls = 0;
            deferred.set();
            for (int i = 0; i < 100; i++) {
                if (requests) {
                    assertTrue(calls.irecv(null, 0, 0, 1, 0, 1).isDone());
                } else {
                    calls.recv(null, 0, 0, 1, 0, 1, new Status());
                }
                deferred.set();
            }
            assertTrue(polls >= 100, polls + " rounds in 100 receives, requests: " + requests);
        }
    }

    @Test
    void elseItMakesFew() {
        for (int i = 0; i < 128; i++) {
            deferred.clear();
            calls.recv(null, 0, 0, 1, 0, 1, new Status());
        }
        assertTrue(polls > 0 && polls < 20, polls + " rounds in 128 receives");
    }
}
