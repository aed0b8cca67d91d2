package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/** An exchange whose channel writes, as a test tells it to. The channel's pieces have 100 bytes. */
abstract class WritingScript {
    static final int PEER = 1;
    static final int OTHER = 2;
    private static final long SHARE = 1 << 20;
    static final Failure CLOSED = new Failure(ErrorCode.DEVICE_CLOSED, -1, "closed");

    final HostileChannel channel = new HostileChannel();
    final Counters counters = new Counters();
    final Route[] routes = new Route[3];
    final Exchange exchange;
    final ProgressEngine engine;
    private final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);

    WritingScript() {
        DeferredWork deferred = new DeferredWork();
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.REMOTE, channel, 1024, SHARE, deferred, Fences.SYMMETRIC);
        }
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, SHARE, false, counters);
        engine = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "none",
                counters);
        exchange.engine(engine);
        channel.depth = 4;
        channel.writes = true;
    }

    final int run() {
        int done = 0;
        for (int i = 0; i < 20; i++) {
            done += exchange.work();
        }
        return done;
    }

    final List<Integer> sentKinds() {
        List<Integer> kinds =
                channel.sent.stream().map(HostileChannel.Sent::kind).toList();
        channel.sent.clear();
        return kinds;
    }

    final void assertCutOff(int peer, Completion completion, String word) {
        run();
        assertEquals(ErrorCode.PEER_CORRUPT, routes[peer].failure().code());
        assertTrue(
                routes[peer].failure().message().contains(word),
                routes[peer].failure().message());
        assertTrue(channel.disconnected.contains(peer));
        assertEquals(ErrorCode.PEER_CORRUPT, completion.error());
        assertEquals(List.of(), channel.offers);
        assertEquals(List.of(), channel.puts);
        assertNull(exchange.ended());
    }
}
