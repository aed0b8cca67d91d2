package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** A rank that makes no call runs out of receive slots: the device tells, and its helper adds some. */
@Tag("all")
@Tag("verbs")
final class ReceiveSlotsRxeTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int SENDERS = 3;
    /** Of each: two by credit, four that are control packets. More than 14 of 16 slots. */
    private static final int OF_EACH = 6;

    private final VerbsCalls verbs = VerbsRanks.verbs();

    private static Map<String, String> options(int most) {
        Map<String, String> options = new HashMap<>();
        options.put("sluice.ib.slots", "16");
        options.put("sluice.ib.slots.most", Integer.toString(most));
        options.put("sluice.ib.body.bytes", "256");
        return options;
    }

    private static long count(TestRank rank, Counter counter) {
        long count = 0;
        for (Counters each : VerbsRanks.channel(rank).counters()) {
            count += each.get(counter);
        }
        return count;
    }

    /** All senders send what they may to rank 0, which doesn't look. */
    private static void fill(TestRank[] ranks, int first) {
        for (int rank = 1; rank < ranks.length; rank++) {
            for (int i = 0; i < OF_EACH; i++) {
                int kind = i < 2 ? PacketKind.EAGER : PacketKind.RNDV_END;
                assertEquals(
                        Channel.SENT,
                        ranks[rank].trySend(0, kind, 0, first + i, new byte[16], null),
                        "rank " + rank + ", " + i);
            }
        }
    }

    private static void takeAll(TestRank[] ranks, int first) {
        ranks[0].await(SENDERS * OF_EACH);
        int[] next = new int[ranks.length];
        while (!ranks[0].listener.packets.isEmpty()) {
            var packet = ranks[0].listener.packets.remove();
            assertEquals(first + next[packet.peer()]++, packet.tag(), "rank " + packet.peer());
        }
    }

    private static void await(TestRank rank, Counter counter, long least) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (count(rank, counter) < least) {
            assertTrue(System.nanoTime() < deadline, counter + " is " + count(rank, counter));
            Thread.sleep(1);
        }
    }

    private TestRank[] ranks(Map<String, String> given, VerbsCalls receiver) {
        TestRank[] ranks = new TestRank[SENDERS + 1];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[rank] =
                    VerbsRanks.rank(rank, ranks.length, VerbsRanks.options(given), rank == 0 ? receiver : verbs, null);
        }
        VerbsRanks.introduce(ranks);
        for (int rank = 1; rank < ranks.length; rank++) {
            VerbsRanks.join(ranks[rank], ranks[0]);
        }
        return ranks;
    }

    private static void close(TestRank[] ranks) {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    @Test
    void slotsAreAddedWithoutTheRanksProgressAndUsedLikeOthers() throws InterruptedException {
        CountingVerbs living = new CountingVerbs(verbs);
        TestRank[] ranks = ranks(options(48), living.calls());
        int setLimits = living.callsOf("setLimit");
        assertEquals(1, setLimits);
        fill(ranks, 0);
        await(ranks[0], Counter.RECEIVE_SLOTS_ADDED, 16);
        assertEquals(1, count(ranks[0], Counter.RECEIVE_SLOTS_LOW));
        assertEquals(2, living.callsOf("setLimit"), "armed again, since there is room for 16 more");
        takeAll(ranks, 0);
        for (int i = 0; i < 100; i++) {
            ranks[1].send(0, i, new byte[200]);
            assertEquals(i, ranks[0].receive().tag());
        }
        close(ranks);
        assertEquals(Map.of(), living.living());
    }

    @Test
    void thereAreNeverMoreThanTheMost() throws InterruptedException {
        CountingVerbs living = new CountingVerbs(verbs);
        TestRank[] ranks = ranks(options(16), living.calls());
        assertEquals(0, living.callsOf("setLimit"), "nothing could be added");
        fill(ranks, 0);
        // The adapters of the senders wait and send again until the rank looks.
        takeAll(ranks, 0);
        assertEquals(0, count(ranks[0], Counter.RECEIVE_SLOTS_LOW));
        close(ranks);
        assertEquals(Map.of(), living.living());
    }

    @Test
    void memoryThatCantBeRegisteredEndsTheGrowthAndNothingElse() throws InterruptedException {
        for (String method : new String[] {"registerMemory", "postReceive", "setLimit"}) {
            CountingVerbs counting = new CountingVerbs(verbs);
            TestRank[] good = ranks(options(48), counting.calls());
            int before = counting.callsOf(method);
            close(good);
            CountingVerbs living = new CountingVerbs(verbs);
            boolean isArming = method.equals("setLimit");
            TestRank[] ranks = ranks(
                    options(48), FailingVerbs.failing(living.calls(), method, isArming ? 1 : before + 1, Errno.ENOMEM));
            fill(ranks, 0);
            if (!isArming) {
                await(ranks[0], Counter.RECEIVE_SLOTS_LOW, 1);
            }
            takeAll(ranks, 0);
            assertEquals(0, count(ranks[0], Counter.RECEIVE_SLOTS_ADDED), method);
            close(ranks);
            assertEquals(Map.of(), living.living(), method);
        }
    }
}
