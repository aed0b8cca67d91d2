package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/** What several long messages are answered with in one round leaves in one series, where the channel can pack it. */
final class AnsweredTogetherTest {
    private static final int PEER = 1;
    private static final int OTHER = 2;
    private static final int BYTES = 50;
    private static final long SHARE = 1 << 20;
    private static final long KEY = 9;

    private final HostileChannel channel = new HostileChannel();
    private Exchange exchange;
    private final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);

    private void open(boolean packs) {
        channel.packs = packs;
        DeferredWork deferred = new DeferredWork();
        Route[] routes = new Route[3];
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.REMOTE, channel, 1024, SHARE, deferred, Fences.SYMMETRIC);
        }
        Counters counters = new Counters();
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, SHARE, false, counters);
        exchange.engine(new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "none",
                counters));
        channel.depth = 8;
    }

    private Completion pulled(int peer, long sendId) {
        Completion completion = new Completion(null);
        exchange.post(new byte[BYTES], 0, BYTES, 0, peer, (int) sendId, completion);
        long[] start = {sendId, BYTES, KEY, 4096};
        byte[] body = new byte[start.length * Long.BYTES];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), body.length);
        channel.arrive(peer, PacketKind.RNDV_START, 0, (int) sendId, body);
        exchange.work();
        return completion;
    }

    /** Six messages of which every third is the other peer's are all there at once. */
    private List<Completion> sixEnds() {
        List<Completion> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(pulled(i % 3 == 2 ? OTHER : PEER, i));
        }
        while (!channel.gets.isEmpty()) {
            channel.end(channel.gets.get(0), true);
        }
        exchange.work();
        assertTrue(all.stream().allMatch(Completion::isReached));
        return all;
    }

    private List<Long> sent(int peer) {
        return channel.sent.stream()
                .filter(packet -> packet.peer() == peer && packet.kind() == PacketKind.RNDV_END)
                .map(packet -> packet.words()[0])
                .toList();
    }

    @Test
    void theEndsOfOneRoundLeaveTogether() {
        open(true);
        sixEnds();
        assertEquals(List.of(0L, 1L, 3L, 4L), sent(PEER), "within the round in which they came up");
        assertEquals(List.of(2L, 5L), sent(OTHER));
        assertEquals(List.of(4, 2), channel.series);
        assertEquals(-1, exchange.firstBusyPeer());
    }

    @Test
    void asManyAsThereAreKeepTheirOrder() {
        open(true);
        channel.depth = 30;
        List<Long> expected = new ArrayList<>();
        for (int count : new int[] {5, 20, 7, 30}) {
            for (int i = 0; i < count; i++) {
                pulled(PEER, expected.size());
                expected.add((long) expected.size());
            }
            while (!channel.gets.isEmpty()) {
                channel.end(channel.gets.get(0), true);
            }
            exchange.work();
            assertEquals(expected, sent(PEER));
        }
        assertEquals(List.of(5, 20, 7, 30), channel.series);
    }

    @Test
    void oneEndIsNoSeries() {
        open(true);
        pulled(PEER, 1);
        channel.end(channel.gets.get(0), true);
        exchange.work();
        assertEquals(List.of(1L), sent(PEER));
        assertEquals(List.of(), channel.series);
    }

    @Test
    void aChannelThatPacksNothingGetsEachAtOnce() {
        open(false);
        sixEnds();
        assertEquals(List.of(0L, 1L, 3L, 4L), sent(PEER));
        assertEquals(List.of(), channel.series);
    }
}
