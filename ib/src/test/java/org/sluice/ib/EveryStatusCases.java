package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.WorkIds;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Everything that a completion, an asynchronous event, a rejection or another event of the connection manager can say:
 * one peer's connection ends with the words for it, or nothing happens; another peer's goes on. Most of it no guest can
 * be brought to say, so it is scripted, over a library that is real or simulated.
 */
abstract class EveryStatusCases {
    private static final int LENGTH = 1;
    private static final int EVENTS = 19;
    private static final int REASONS = 36;
    private static final int LAST_KNOWN = 33;
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int MANY = 150;
    /** As the kernel says it in events: -ETIMEDOUT. */
    private static final int TIMED_OUT = -110;

    private final VerbsCalls verbs = verbs();

    /**
     * What has a completion: the work request as Sluice knows it, and what its ranks have to be given for it to be
     * posted.
     */
    private enum Work {
        RECEIVE(WorkIds.RECEIVE),
        SEND(WorkIds.SEND),
        READ(WorkIds.READ),
        WRITE(WorkIds.WRITE, "sluice.ib.rendezvous", "write"),
        CREDIT(WorkIds.CREDIT),
        KEEP_ALIVE(WorkIds.KEEP_ALIVE),
        LANDING(WorkIds.LANDING, "sluice.ib.eager", "write"),
        WRITTEN_SEND(WorkIds.SEND, "sluice.ib.eager", "write"),
        IMMEDIATE_SEND(WorkIds.SEND, "sluice.ib.eager", "write-imm"),
        IMMEDIATE_RECEIVE(WorkIds.RECEIVE, "sluice.ib.eager", "write-imm");

        private final int id;
        private final String[] options;

        Work(int id, String... options) {
            this.id = id;
            this.options = options;
        }

        boolean isWritten() {
            return this == WRITTEN_SEND || this == IMMEDIATE_SEND || this == IMMEDIATE_RECEIVE;
        }
    }

    protected abstract VerbsCalls verbs();

    /** Of those that the library knows, which are tried with sends and receives, and with what else there is. */
    protected abstract int[] statuses();

    protected abstract int[] statusesOfRareWork();

    private static Options options(String... given) {
        Map<String, String> options = new HashMap<>(Map.of(
                "sluice.ib.slots",
                "32",
                "sluice.ib.body.bytes",
                "256",
                "sluice.ib.window",
                "2",
                "sluice.ib.send.slots",
                "64",
                "sluice.close.timeout.ms",
                "1000"));
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
    private static void provoke(TestRank[] ranks, Work what) {
        switch (what) {
            case RECEIVE, IMMEDIATE_RECEIVE ->
                assertEquals(Channel.SENT, ranks[1].trySend(0, PacketKind.EAGER, 0, 1, new byte[8], null));
            case SEND, WRITTEN_SEND, IMMEDIATE_SEND ->
                assertEquals(Channel.SENT, ranks[0].trySend(1, PacketKind.CLOSE, 0, 1, new byte[8], null));
            case READ -> read(ranks);
            case WRITE -> write(ranks);
            case CREDIT -> {
                // Both that it may have at first: now it is owed news.
                ranks[1].trySend(0, PacketKind.EAGER, 0, 1, new byte[8], null);
                ranks[1].trySend(0, PacketKind.EAGER, 0, 2, new byte[8], null);
                ranks[0].await(2);
            }
            case LANDING -> {
                // So many that it is given a ring, and told of it.
                long news = LandingRanks.sum(ranks[0], Counter.LANDING_NEWS);
                for (int i = 0; LandingRanks.sum(ranks[0], Counter.LANDING_NEWS) == news; i++) {
                    assertTrue(i < MANY, "no landing ring");
                    ranks[1].send(0, i, new byte[8]);
                    ranks[0].receive();
                }
            }
            default -> ranks[0].channel.checkPeers(ranks[0].listener);
        }
    }

    private static void read(TestRank[] ranks) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        RemoteReference from = new RemoteReference();
        assertTrue(ranks[1].channel.reading().describe(0, memory, null, Memory.address(memory), 4096, from));
        ByteBuffer to = ByteBuffer.allocateDirect(4096);
        assertEquals(
                GetResult.STARTED,
                ranks[0].channel.reading().get(1, from, 0, to, null, Memory.address(to), 4096, "ticket"));
    }

    private static void write(TestRank[] ranks) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        RemoteReference from = new RemoteReference();
        assertTrue(ranks[0].channel.reading().describe(1, memory, null, Memory.address(memory), 4096, from));
        ByteBuffer target = ByteBuffer.allocateDirect(4096);
        RemoteReference offered = new RemoteReference();
        assertTrue(ranks[1].channel.writing().offer(0, target, null, Memory.address(target), 4096, offered));
        RemoteReference to = new RemoteReference();
        to.set(offered.key, offered.address, null);
        assertEquals(
                PutResult.STARTED,
                ranks[0].channel.writing().put(1, from, Memory.address(memory), 4096, to, 0, "ticket"));
    }

    private void oneCompletion(Work what, int status) throws InterruptedException {
        String where = what + ", status " + status;
        CountingVerbs living = new CountingVerbs(verbs);
        ScriptedVerbs scripted = new ScriptedVerbs(living.calls());
        TestRank[] ranks = joined(scripted.calls(), options(what.options));
        if (what.isWritten()) {
            LandingRanks.warmUp(ranks[0], ranks[1]);
        }
        TestRank sender = ranks[what == Work.IMMEDIATE_RECEIVE ? 1 : 0];
        long written = LandingRanks.sum(sender, Counter.LANDING_WRITES);
        scripted.complete(what.id, status);
        provoke(ranks, what);
        assertEquals(what.isWritten() ? 1 : 0, LandingRanks.sum(sender, Counter.LANDING_WRITES) - written, where);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(scripted.isDone(), where);
        assertTrue(
                failure.reason().contains("(completion status " + status + ", vendor error "), where + ": " + failure);
        assertFalse(failure.reason().contains("unknown ("), where + ": " + failure);
        assertEquals(what.id == WorkIds.RECEIVE && status == LENGTH, failure.corrupt(), where);
        ranks[0].listener.packets.clear();
        if (what == Work.KEEP_ALIVE) {
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
        for (int status : statuses()) {
            oneCompletion(Work.RECEIVE, status);
            oneCompletion(Work.SEND, status);
        }
    }

    @Test
    void everyStatusOfEachOtherKindOfWork() throws InterruptedException {
        for (int status : statusesOfRareWork()) {
            for (Work what : EnumSet.complementOf(EnumSet.of(Work.RECEIVE, Work.SEND))) {
                oneCompletion(what, status);
            }
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
        assertTrue(
                ranks[0].listener.failures.stream()
                        .allMatch(each -> each.reason().contains(kind.text())),
                ranks[0].listener.failures.toString());
    }

    /** Of a port where nobody listens; a Sluice gives its reason by itself. */
    @Test
    void everyReasonOfARejection() throws InterruptedException {
        for (int reason = 0; reason <= REASONS; reason++) {
            int coming = reason;
            String told = unconnected(scripted -> scripted.reject(coming), "(status ");
            assertTrue(told.contains("(status " + reason + ")"), told);
            assertEquals(reason > LAST_KNOWN, told.contains("unknown reason"), told);
            assertTrue(told.contains("no connection was accepted at "), told);
        }
    }

    /**
     * @return why rank 0 gets no connection to where nobody listens;
     * @param word that it is to contain
     */
    private String unconnected(Consumer<ScriptedVerbs> script, String word) throws InterruptedException {
        String told = unconnected(script, word, "300");
        // On a slow host no answer may have come by then.
        return told.contains(word) ? told : unconnected(script, word, "10000");
    }

    private String unconnected(Consumer<ScriptedVerbs> script, String word, String timeoutMs)
            throws InterruptedException {
        CountingVerbs living = new CountingVerbs(verbs);
        ScriptedVerbs scripted = new ScriptedVerbs(living.calls());
        script.accept(scripted);
        Options options = options("sluice.ib.connect.timeout.ms", timeoutMs);
        TestRank rank = VerbsRanks.rank(0, 2, options, scripted.calls(), null);
        TestRank gone = VerbsRanks.rank(1, 2, options, verbs, null);
        byte[] facts = VerbsRanks.channel(gone).facts();
        gone.channel.close();
        VerbsRanks.channel(rank).add(1, facts);
        VerbsRanks.channel(rank).want(1);
        String told = rank.awaitFailure().reason();
        rank.channel.close();
        assertEquals(Map.of(), living.living(), told);
        return told;
    }

    /**
     * What the connection manager says where it doesn't get as far as an answer, in the place of what it would have
     * said.
     */
    private enum NoWay {
        ADDRESS(VerbsLayout.ADDRESS_RESOLVED, VerbsLayout.ADDRESS_ERROR, "its address can't be resolved"),
        ROUTE(VerbsLayout.ROUTE_RESOLVED, VerbsLayout.ROUTE_ERROR, "there is no route to it"),
        ANSWER(VerbsLayout.REJECTED, VerbsLayout.UNREACHABLE, "it doesn't answer"),
        OTHER(VerbsLayout.REJECTED, VerbsLayout.CONNECT_ERROR, "the connection could not be made");

        private final int instead;
        private final int kind;
        private final String text;

        NoWay(int instead, int kind, String text) {
            this.instead = instead;
            this.kind = kind;
            this.text = text;
        }
    }

    @Test
    void everyEventThatSaysThatThereIsNoWay() throws InterruptedException {
        for (NoWay each : NoWay.values()) {
            String told = unconnected(scripted -> scripted.turn(each.instead, each.kind, TIMED_OUT), each.text);
            assertTrue(told.contains(each.text + ", status " + TIMED_OUT), each + ": " + told);
        }
    }

    /** What was looked for in vain is looked for again. */
    @Test
    void aWayThatIsFoundLater() throws InterruptedException {
        for (NoWay each : new NoWay[] {NoWay.ADDRESS, NoWay.ROUTE}) {
            CountingVerbs living = new CountingVerbs(verbs);
            ScriptedVerbs scripted = new ScriptedVerbs(living.calls());
            TestRank[] ranks = {
                VerbsRanks.rank(0, 2, options(), scripted.calls(), null), VerbsRanks.rank(1, 2, options(), verbs, null)
            };
            VerbsRanks.introduce(ranks);
            scripted.turn(each.instead, each.kind, TIMED_OUT);
            VerbsRanks.channel(ranks[0]).want(1);
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (scripted.turns() < 2) {
                Thread.sleep(1);
                assertTrue(System.nanoTime() < deadline, each + ": " + ranks[0].channel);
            }
            scripted.turnNothing();
            VerbsRanks.join(ranks[0], ranks[1]);
            ranks[0].send(1, 5, new byte[100]);
            assertEquals(5, ranks[1].receive().tag(), each.name());
            close(ranks, living, each.name());
        }
    }
}
