package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Rank 0, whose library may fail, opens, meets rank 1, does with it everything that a channel does, and closes. Either
 * all of it arrives as it was sent, or rank 0 is told; ranks 1 and 2 go on whatever happens.
 */
final class SweptLife {
    private static final int BYTES = 20_000;
    /** More short packets than it takes to get a landing ring. */
    private static final int BUSY = 70;

    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final TestRank[] ranks = new TestRank[3];
    private final ByteBuffer[] memory = {ByteBuffer.allocateDirect(BYTES), ByteBuffer.allocateDirect(BYTES)};
    private final ByteBuffer[] sources = {ByteBuffer.allocateDirect(BYTES), ByteBuffer.allocateDirect(BYTES)};
    private final boolean asks;
    private final boolean writes;
    private final boolean isLanding;
    private String told;
    private boolean hasLess;

    /** Rank 0 was told that something failed. */
    private static final class Told extends RuntimeException {
        private static final long serialVersionUID = 1;

        Told(String what) {
            super(what, null, false, false);
        }
    }

    /**
     * @param asks whether rank 0 asks for the connection
     * @param writes whether long messages are written by their sender
     * @param eager of short packets: sent, or written into landing rings
     * @param connectMs how long a connection may take; some that fail wait so long
     * @param path options that say which device and which place of its port's tables are wanted, and their values, one
     *     after the other
     */
    SweptLife(
            VerbsCalls failing,
            VerbsCalls good,
            boolean asks,
            boolean writes,
            String eager,
            int connectMs,
            String... path) {
        this.asks = asks;
        this.writes = writes;
        this.isLanding = !eager.equals("send");
        List<String> given = new ArrayList<>(List.of(
                "sluice.ib.slots",
                "32",
                "sluice.ib.slots.most",
                "64",
                "sluice.ib.body.bytes",
                "512",
                "sluice.ib.send.slots",
                "128",
                "sluice.ib.window",
                "4",
                "sluice.ib.mtu",
                "512",
                "sluice.ib.zerocopy.bytes",
                "0",
                "sluice.ib.connect.timeout.ms",
                Integer.toString(connectMs),
                "sluice.close.timeout.ms",
                Integer.toString(connectMs / 3),
                "sluice.ib.rendezvous",
                writes ? "write" : "read"));
        given.addAll(List.of(path));
        for (int i = 0; i < BYTES; i++) {
            sources[0].put(i, (byte) (i * 7));
            sources[1].put(i, (byte) (i * 11));
        }
        try {
            ranks[0] = VerbsRanks.rank(0, 3, LandingRanks.options(eager, given.toArray(new String[0])), failing, null);
            // Where a call failed for its first address it has another, which no way may lead to from the others'
            // first.
            given.addAll(List.of(
                    "sluice.ib.address",
                    IbFacts.decode(0, VerbsRanks.channel(ranks[0]).facts()).host()));
        } catch (RuntimeException e) {
            told = e.getMessage();
        }
        Options options = LandingRanks.options(eager, given.toArray(new String[0]));
        ranks[1] = VerbsRanks.rank(1, 3, options, good, null);
        ranks[2] = VerbsRanks.rank(2, 3, options, good, null);
        VerbsRanks.introduce(Arrays.stream(ranks).filter(each -> each != null).toArray(TestRank[]::new));
        VerbsRanks.join(ranks[1], ranks[2]);
    }

    /** What rank 0 was told, or null: everything went well. */
    String told() {
        return told;
    }

    /** Something went another way than it does where nothing fails. */
    boolean hasLess() {
        return hasLess;
    }

    void live() throws InterruptedException {
        if (told == null) {
            try {
                everything();
            } catch (Told e) {
                told = e.getMessage();
            }
            close();
        }
        others();
        ranks[1].channel.close();
        ranks[2].channel.close();
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(sources);
    }

    private void everything() {
        exchange(asks ? 0 : 1, 2);
        exchange(0, 9);
        exchange(1, 9);
        if (isLanding) {
            land();
        }
        bundle();
        sleep();
        lend();
        for (int reader = 0; reader < 2; reader++) {
            if (writes) {
                write(reader);
            } else {
                read(reader);
            }
            route(reader);
        }
        exchange(0, 1);
    }

    private void close() {
        try {
            ranks[0].channel.close();
        } catch (IllegalStateException e) {
            told = told == null ? e.getMessage() : told + "; " + e.getMessage();
        }
    }

    /** Rank 1 learns of rank 0's end, if it knew it; and of nothing else. */
    private void others() throws InterruptedException {
        boolean hasKnown = VerbsRanks.channel(ranks[1]).state(2) != null
                && ranks[0] != null
                && VerbsRanks.channel(ranks[1]).state(0).ordinal() > 0;
        if (hasKnown) {
            assertEquals(0, ranks[1].awaitFailure().peer());
        }
        ranks[1].listener.packets.clear();
        ranks[1].send(2, 7, new byte[7]);
        assertEquals(7, ranks[2].receive().tag());
        assertFalse(
                ranks[1].listener.failures.stream().anyMatch(each -> each.peer() == 2),
                "failures " + ranks[1].listener.failures);
    }

    private void until(BooleanSupplier isDone) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!isDone.getAsBoolean()) {
            progress();
            assertTrue(
                    System.nanoTime() < deadline,
                    () -> "stuck: " + VerbsRanks.channel(ranks[0]) + " and " + VerbsRanks.channel(ranks[1])
                            + ", failures of rank 1 " + ranks[1].listener.failures);
        }
    }

    private void progress() {
        try {
            ranks[0].channel.poll(ranks[0].listener, 10);
        } catch (IllegalStateException e) {
            throw new Told(e.getMessage());
        }
        ranks[1].channel.poll(ranks[1].listener, 10);
        if (!ranks[0].listener.failures.isEmpty()) {
            throw new Told(ranks[0].listener.failures.get(0).reason());
        }
    }

    private static byte[] body(int tag) {
        byte[] body = new byte[20];
        Arrays.fill(body, (byte) tag);
        return body;
    }

    private void exchange(int from, int count) {
        int[] sent = {0};
        until(() -> {
            while (sent[0] < count
                    && ranks[from].trySend(1 - from, PacketKind.EAGER, 0, sent[0], body(sent[0]), null)
                            == Channel.SENT) {
                sent[0]++;
            }
            return ranks[1 - from].listener.packets.size() == count;
        });
        arrived(1 - from, count);
    }

    private void arrived(int at, int count) {
        for (int i = 0; i < count; i++) {
            RecordingListener.Packet packet = ranks[at].listener.packets.remove();
            assertEquals(i, packet.tag());
            assertArrayEquals(body(i), packet.body());
        }
    }

    private void bundle() {
        int[] sent = {0};
        until(() -> {
            ranks[0].channel.coalescing().gather(1);
            while (sent[0] < 6
                    && ranks[0].trySend(1, PacketKind.EAGER, 0, sent[0], body(sent[0]), null) == Channel.SENT) {
                sent[0]++;
            }
            return ranks[0].channel.coalescing().flush(1) && ranks[1].listener.packets.size() == 6;
        });
        arrived(1, 6);
    }

    /** So many both ways that each gets a ring of the other, and some that are written there. */
    private void land() {
        for (int count : new int[] {BUSY, 9}) {
            exchange(0, count);
            exchange(1, count);
        }
        hasLess |= LandingRanks.sum(ranks[0], Counter.LANDING_WRITES) == 0
                || LandingRanks.sum(ranks[1], Counter.LANDING_WRITES) == 0;
    }

    /** And a look at the peers, as a device has it now and then. */
    private void sleep() {
        until(ranks[0].channel::prepareSleep);
        ranks[0].channel.checkPeers(ranks[0].listener);
        ranks[0].word.announceSleep();
        ranks[0].channel.arm();
        progress();
        ranks[0].word.awake();
        exchange(1, 1);
    }

    private void lend() {
        hasLess |= !ranks[0].channel.registering().register(sources[0]);
        RemoteReference into = new RemoteReference();
        int[] result = {Channel.NO_RESOURCE};
        until(() -> {
            result[0] = result[0] != Channel.NO_RESOURCE
                    ? result[0]
                    : ranks[0].channel
                            .lending()
                            .lend(1, 0, 0, sources[0], Memory.address(sources[0]), 300, into, "loan");
            return result[0] == Lending.BY_COPY
                    || !ranks[0].listener.loans.isEmpty() && !ranks[1].listener.packets.isEmpty();
        });
        if (result[0] == Lending.BY_COPY) {
            hasLess = true;
            return;
        }
        assertEquals(
                -1,
                sources[0]
                        .duplicate()
                        .limit(300)
                        .mismatch(ByteBuffer.wrap(
                                ranks[1].listener.packets.remove().body())));
        ranks[0].channel.reading().release(into.lease);
        ranks[0].channel.registering().deregister(sources[0]);
    }

    private void read(int reader) {
        int owner = 1 - reader;
        RemoteReference described = new RemoteReference();
        if (!ranks[owner]
                .channel
                .reading()
                .describe(reader, sources[owner], null, Memory.address(sources[owner]), BYTES, described)) {
            hasLess = true;
            return;
        }
        RemoteReference from = new RemoteReference();
        from.set(described.key, described.address, null);
        GetResult[] result = {GetResult.NO_RESOURCE};
        until(() -> {
            result[0] = result[0] != GetResult.NO_RESOURCE
                    ? result[0]
                    : ranks[reader]
                            .channel
                            .reading()
                            .get(owner, from, 0, memory[reader], null, Memory.address(memory[reader]), BYTES, "read");
            return result[0] == GetResult.BY_STREAM || !ranks[reader].listener.gets.isEmpty();
        });
        hasLess |= result[0] == GetResult.BY_STREAM;
        arrivedInMemory(reader, result[0] == GetResult.STARTED);
        ranks[owner].channel.reading().release(described.lease);
    }

    private void arrivedInMemory(int at, boolean is) {
        assertTrue(
                !is || memory[at].mismatch(sources[1 - at]) < 0,
                "what rank " + at + " got is not what rank " + (1 - at) + " had");
        Memory.setZero(Memory.address(memory[at]), BYTES);
    }

    private void write(int target) {
        int writer = 1 - target;
        RemoteReference described = new RemoteReference();
        RemoteReference offered = new RemoteReference();
        if (!ranks[writer]
                .channel
                .reading()
                .describe(target, sources[writer], null, Memory.address(sources[writer]), BYTES, described)) {
            hasLess = true;
            return;
        }
        if (ranks[target]
                .channel
                .writing()
                .offer(writer, memory[target], null, Memory.address(memory[target]), BYTES, offered)) {
            RemoteReference to = new RemoteReference();
            to.set(offered.key, offered.address, null);
            PutResult[] result = {PutResult.NO_RESOURCE};
            until(() -> {
                result[0] = result[0] != PutResult.NO_RESOURCE
                        ? result[0]
                        : ranks[writer]
                                .channel
                                .writing()
                                .put(target, described, Memory.address(sources[writer]), BYTES, to, 0, "write");
                return !ranks[writer].listener.puts.isEmpty();
            });
            ranks[writer].listener.puts.clear();
            arrivedInMemory(target, true);
            ranks[target].channel.writing().takeBack(writer, offered.lease);
        } else {
            hasLess = true;
        }
        ranks[writer].channel.reading().release(described.lease);
    }

    private void route(int target) {
        int writer = 1 - target;
        RemoteReference source = new RemoteReference();
        RemoteReference lent = new RemoteReference();
        boolean isThere = ranks[writer]
                .channel
                .remoteSlots()
                .source(sources[writer], Memory.address(sources[writer]), BYTES, source);
        if (ranks[target].channel.remoteSlots().lend(writer, BYTES, lent)) {
            RemoteReference to = new RemoteReference();
            to.set(lent.key, lent.address, null);
            boolean[] hasBegun = {!isThere};
            until(() -> {
                hasBegun[0] = hasBegun[0]
                        || ranks[writer]
                                .channel
                                .remoteSlots()
                                .write(target, source, Memory.address(sources[writer]), BYTES, to, 0, "route");
                return !isThere || !ranks[writer].listener.puts.isEmpty();
            });
            ranks[writer].listener.puts.clear();
            Memory.copy(null, lent.address, null, Memory.address(memory[target]), BYTES);
            arrivedInMemory(target, isThere);
            ranks[target].channel.remoteSlots().takeBack(writer, lent.lease);
        } else {
            hasLess = true;
        }
        hasLess |= !isThere;
        if (isThere) {
            ranks[writer].channel.reading().release(source.lease);
        }
    }
}
