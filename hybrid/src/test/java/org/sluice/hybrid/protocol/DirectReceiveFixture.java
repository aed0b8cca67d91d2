package org.sluice.hybrid.protocol;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.sluice.device.ErrorCode;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.receive.DirectReceive;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/**
 * A device's inner half over a channel that hands up what a test puts into it; each test runs under the progress lock.
 */
abstract class DirectReceiveFixture {
    static final int FROM = 1;
    static final int OTHER = 2;
    static final int CONTEXT = 5;
    static final int TAG = 9;
    static final long SHARE = 1 << 20;
    static final Failure CLOSED = new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed by the test");

    final HostileChannel channel = new HostileChannel();
    final Counters counters = new Counters();
    final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);
    final Exchange exchange;
    final ProgressEngine engine;
    final Status status = new Status();

    DirectReceiveFixture() {
        Route[] routes = new Route[3];
        DeferredWork deferred = new DeferredWork();
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.SAME_NODE, channel, 1024, SHARE, deferred, Fences.SYMMETRIC);
        }
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, SHARE, false, counters);
        engine = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(50_000, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "direct-receive-test",
                counters);
        exchange.engine(engine);
    }

    @BeforeEach
    void lock() {
        engine.lock();
    }

    @AfterEach
    void unlock() {
        engine.unlock();
        engine.stop(System.nanoTime() + 10_000_000_000L);
    }

    final DirectReceive begin(Object buffer, int source, int tag) {
        return exchange.direct()
                .begin(buffer, 0, UserBuffer.bytesToReceive(buffer, 0, length(buffer)), CONTEXT, source, tag);
    }

    static long length(Object array) {
        return java.lang.reflect.Array.getLength(array);
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 7 + length);
        }
        return bytes;
    }

    final void arrive(int peer, int tag, byte[] body) {
        channel.arrive(peer, PacketKind.EAGER, CONTEXT, tag, body);
    }

    final Completion post(byte[] into, int source, int tag) {
        Completion completion = new Completion(null);
        exchange.post(into, 0, into.length, CONTEXT, source, tag, completion);
        return completion;
    }
}
