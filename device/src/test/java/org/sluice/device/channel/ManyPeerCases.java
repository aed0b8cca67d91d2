package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;

/** What a channel does among many peers; part of {@link ChannelConformance}. */
abstract class ManyPeerCases {
    protected final long seed = new Random().nextLong();
    protected final Random random = new Random(seed);
    protected TestRank[] ranks;

    /** Opens this many connected ranks, numbered from 0. */
    protected abstract TestRank[] open(int count) throws Exception;

    /** How many packets a test sends that would like to send this many; fewer where a packet takes long. */
    protected int many(int count) {
        return count;
    }

    /**
     * Between the lengths in the middle that are tried; 1 tries all. An odd step below a cell's 64 bytes has each
     * number of cells and each remainder.
     */
    protected int lengthStep() {
        return Boolean.getBoolean("sluice.test.all") ? 7 : 61;
    }

    @AfterEach
    protected final void closeAll() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    protected final byte[] randomBody(int bytes) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        return body;
    }

    @Test
    void manyPeersReachEachOtherAgainAndAgain() throws Exception {
        closeAll();
        int count = 12;
        ranks = open(count);
        for (int round = 0; round < 5; round++) {
            for (int from = 0; from < count; from++) {
                for (int to = 0; to < count; to++) {
                    if (from != to) {
                        ranks[from].send(to, round, new byte[] {(byte) from, (byte) to});
                    }
                }
            }
            for (TestRank each : ranks) {
                each.await(count - 1);
                assertEquals(
                        count - 1,
                        each.listener.packets.stream()
                                .map(RecordingListener.Packet::peer)
                                .distinct()
                                .count());
                for (RecordingListener.Packet packet : each.listener.packets) {
                    assertEquals(round, packet.tag());
                    assertArrayEquals(new byte[] {(byte) packet.peer(), (byte) each.rank}, packet.body());
                }
                each.listener.packets.clear();
                // Long enough to look away from rings that are silent.
                for (int poll = 0; poll < 3000; poll++) {
                    assertEquals(0, each.channel.poll(each.listener, 10));
                }
            }
        }
    }

    @Test
    void aSleeperAmongManyPeersIsWokenByOneItDoesNotWatch() throws Exception {
        closeAll();
        ranks = open(12);
        TestRank sleeper = ranks[11];
        for (int round = 0; round < 3; round++) {
            int before = sleeper.word.sequence();
            for (int poll = 0; poll < 3000; poll++) {
                sleeper.channel.poll(sleeper.listener, 10);
            }
            sleeper.prepareSleep(ranks);
            sleeper.word.announceSleep();
            sleeper.channel.arm();
            Memory.fullFence();
            assertEquals(0, sleeper.channel.poll(sleeper.listener, 10));
            ranks[5].send(11, round, new byte[100]);
            sleeper.awaitRing(before);
            sleeper.word.awake();
            assertEquals(round, sleeper.receive().tag());
        }
    }
}
