package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.WorkIds;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Everything that a completion, an asynchronous event or a rejection can say: one peer's connection ends with the words for it, or nothing
 * happens; another peer's goes on. Most of it no guest can be brought to say, so it is scripted, over a library that is real or simulated.
 */
abstract class EveryStatusCases {
    private static final int STATUSES = 22;
    private static final int LENGTH = 1;
    private static final int EVENTS = 19;
    private static final int REASONS = 36;
    private static final int LAST_KNOWN = 33;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final VerbsCalls verbs = verbs();

    protected abstract VerbsCalls verbs();

    private static Options options(String... given) {
        Map<String, String> options = new HashMap<>(Map.of("sluice.ib.slots", "32", "sluice.ib.body.bytes", "256", "sluice.ib.window", "2",
                "sluice.ib.send.slots", "64", "sluice.close.timeout.ms", "1000"));
        for (int i = 0; i < given.length; i += 2) {
            options.put(given[i], given[i + 1]);
        }
        return VerbsRanks.options(options);
    }

    private TestRank[] joined(VerbsCalls ofRank0, Options options) {
        TestRank[] ranks = new TestRank[3];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[rank] = VerbsRanks.rank(rank, ranks.length, options, rank == 0 ? ofRank0 : verbs, null);
        }
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        VerbsRanks.join(ranks[0], ranks[2]);
        return ranks;
    }

    private static void assertOthersGoOn(TestRank[] ranks, String where) {
        ranks[0].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag(), where);
        ranks[2].send(0, 6, new byte[100]);
        assertEquals(6, ranks[0].receive().tag(), where);
    }

    private static void close(TestRank[] ranks, CountingVerbs living, String where) {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(Map.of(), living.living(), where);
    }

    /** Has a completion of that kind come at rank 0, of what it has to do with rank 1. */
    private static void provoke(TestRank[] ranks, int what) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        if (what == WorkIds.RECEIVE) {
            assertEquals(Channel.SENT, ranks[1].trySend(0, PacketKind.EAGER, 0, 1, new byte[8], null));
        } else if (what == WorkIds.SEND) {
            assertEquals(Channel.SENT, ranks[0].trySend(1, PacketKind.CLOSE, 0, 1, new byte[8], null));
        } else if (what == WorkIds.READ) {
            RemoteReference from = new RemoteReference();
            assertTrue(ranks[1].channel.describe(0, memory, null, Memory.address(memory), 4096, from));
            ByteBuffer to = ByteBuffer.allocateDirect(4096);
            assertEquals(Channel.GET_STARTED, ranks[0].channel.get(1, from, 0, to, null, Memory.address(to), 4096, "ticket"));
        } else if (what == WorkIds.CREDIT) {
            // Both that it may have at first: now it is owed news.
            ranks[1].trySend(0, PacketKind.EAGER, 0, 1, new byte[8], null);
            ranks[1].trySend(0, PacketKind.EAGER, 0, 2, new byte[8], null);
            ranks[0].await(2);
            ranks[0].listener.packets.clear();
        } else {
            ranks[0].channel.checkPeers(ranks[0].listener);
        }
    }

    private void oneCompletion(int what, int status) throws InterruptedException {
        String where = "kind " + what + ", status " + status;
        CountingVerbs living = new CountingVerbs(verbs);
        ScriptedVerbs scripted = new ScriptedVerbs(living.calls());
        TestRank[] ranks = joined(scripted.calls(), options());
        scripted.complete(what, status);
        provoke(ranks, what);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(scripted.isDone(), where);
        assertTrue(failure.reason().contains("(completion status " + status + ", vendor error "), where + ": " + failure);
        assertFalse(failure.reason().contains("unknown ("), where + ": " + failure);
        assertEquals(what == WorkIds.RECEIVE && status == LENGTH, failure.corrupt(), where);
        if (what == WorkIds.KEEP_ALIVE) {
            // Signs of life go to all peers that are quiet, and whose was first is the adapter's.
            assertEquals(1, ranks[0].listener.failures.size(), where);
        } else {
            assertEquals(1, failure.peer(), where);
            assertOthersGoOn(ranks, where);
        }
        close(ranks, living, where);
    }

    @Test
    void everyStatusOfAReceiveAndOfASend() throws InterruptedException {
        for (int status = 1; status < STATUSES; status++) {
            oneCompletion(WorkIds.RECEIVE, status);
            oneCompletion(WorkIds.SEND, status);
        }
    }

    @Test
    void aFailureOfEachOtherKindOfWork() throws InterruptedException {
        for (int what : new int[] {WorkIds.READ, WorkIds.CREDIT, WorkIds.KEEP_ALIVE}) {
            oneCompletion(what, 10);
            oneCompletion(what, 12);
        }
    }

    @Test
    void everyAsynchronousEvent() throws InterruptedException {
        for (int kind = 0; kind <= EVENTS; kind++) {
            String where = AsyncKind.of(kind).name();
            CountingVerbs living = new CountingVerbs(verbs);
            HeldVerbs held = new HeldVerbs(living.calls());
            TestRank[] ranks = joined(held.calls(), options());
            // The queue pair that was made last is the one to rank 2.
            held.report(kind, held.queuePairNumber());
            if (AsyncKind.of(kind).endsQueuePair()) {
                RecordingListener.Failure failure = ranks[0].awaitFailure();
                assertEquals(2, failure.peer(), where);
                assertTrue(failure.reason().contains(AsyncKind.of(kind).text()), where + ": " + failure);
                ranks[0].send(1, 5, new byte[100]);
                assertEquals(5, ranks[1].receive().tag(), where);
            } else if (kind == AsyncKind.DEVICE_FATAL.ordinal()) {
                awaitBothFail(ranks, AsyncKind.DEVICE_FATAL);
            } else {
                assertOthersGoOn(ranks, where);
                assertEquals(0, ranks[0].listener.failures.size(), where);
            }
            close(ranks, living, where);
        }
    }

    /** Of the queues that all connections of a rank share; those of another rank are nothing to it. */
    @Test
    void errorsOfTheQueuesThatAllShare() throws InterruptedException {
        for (AsyncKind kind : new AsyncKind[] {AsyncKind.CQ_ERR, AsyncKind.SRQ_ERR}) {
            CountingVerbs living = new CountingVerbs(verbs);
            HeldVerbs held = new HeldVerbs(living.calls());
            TestRank[] ranks = joined(held.calls(), options());
            boolean isCompletions = kind == AsyncKind.CQ_ERR;
            held.report(kind.ordinal(), isCompletions ? held.receiveQueue() : held.completionQueue());
            assertOthersGoOn(ranks, kind.name());
            assertEquals(0, ranks[0].listener.failures.size(), kind + " of another queue");
            held.report(kind.ordinal(), isCompletions ? held.completionQueue() : held.receiveQueue());
            awaitBothFail(ranks, kind);
            close(ranks, living, kind.name());
        }
    }

    private static void awaitBothFail(TestRank[] ranks, AsyncKind kind) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (ranks[0].listener.failures.size() < 2) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            assertTrue(System.nanoTime() < deadline, kind + ": " + ranks[0].listener.failures);
        }
        assertTrue(ranks[0].listener.failures.stream().allMatch(each -> each.reason().contains(kind.text())),
                ranks[0].listener.failures.toString());
    }

    /** Of a port where nobody listens; a Sluice gives its reason by itself. */
    @Test
    void everyReasonOfARejection() throws InterruptedException {
        for (int reason = 0; reason <= REASONS; reason++) {
            CountingVerbs living = new CountingVerbs(verbs);
            ScriptedVerbs scripted = new ScriptedVerbs(living.calls());
            scripted.reject(reason);
            Options options = options("sluice.ib.connect.timeout.ms", "300");
            TestRank rank = VerbsRanks.rank(0, 2, options, scripted.calls(), null);
            TestRank gone = VerbsRanks.rank(1, 2, options, verbs, null);
            byte[] facts = VerbsRanks.channel(gone).facts();
            gone.channel.close();
            VerbsRanks.channel(rank).add(1, facts);
            VerbsRanks.channel(rank).want(1);
            String told = rank.awaitFailure().reason();
            assertTrue(told.contains("(status " + reason + ")"), told);
            assertEquals(reason > LAST_KNOWN, told.contains("unknown reason"), told);
            assertTrue(told.contains("no connection was accepted at "), told);
            rank.channel.close();
            assertEquals(Map.of(), living.living(), told);
        }
    }
}
