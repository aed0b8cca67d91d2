package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/** Devices that allow less than Sluice would take: it takes that, or says what is missing when it opens. */
final class SmallDeviceTest {
    private static final Options DEFAULTS = VerbsRanks.options(Map.of());
    private static final int SLOTS = 1024;
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final SimulatedVerbs verbs = new SimulatedVerbs();

    private void exchange(TestRank[] ranks) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int sent = 0;
        while (ranks[1].listener.packets.size() < 200) {
            while (sent < 200 && ranks[0].trySend(1, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
                sent++;
            }
            ranks[0].drive();
            ranks[1].channel.poll(ranks[1].listener, 10);
            assertTrue(System.nanoTime() < deadline, "stuck: " + ranks[0].channel + ", " + ranks[0].listener.failures);
        }
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), verbs.wrongs());
        assertEquals(Map.of(), verbs.living());
    }

    /** A window of 9 to 16 with 38 beside it, or of 1 to 8 with 6. */
    private static int longest(int most) {
        return most >= 9 + 38 ? Math.min(most, 16 + 38) : Math.min(most, 8 + 6);
    }

    private static SluiceException refused(SimulatedVerbs verbs, int job, Options options) {
        SluiceException told = assertThrows(SluiceException.class, () -> VerbsRanks.rank(0, job, options, verbs, null));
        assertEquals(ErrorCode.OPEN_FAILED, told.code(), told.getMessage());
        assertEquals(Map.of(), verbs.living());
        return told;
    }

    @Test
    void memoryThatIsRefusedWhileARankOpensIsToldWithAllThatOpeningNeeds() {
        VerbsCalls failing = new NthCallFails(verbs, "registerMemory", 2, Errno.ENOMEM).calls();
        SluiceException told =
                assertThrows(SluiceException.class, () -> VerbsRanks.rank(0, 2, DEFAULTS, failing, null));
        assertEquals(ErrorCode.NO_MEMORY, told.code(), told.getMessage());
        long slots = SLOTS * 8256L;
        long sends = 64 * 8256L;
        String already = " bytes in all; " + slots + " are registered already";
        assertTrue(told.getMessage().contains("ibv_reg_mr of " + sends + " bytes: ENOMEM"), told.getMessage());
        assertTrue(
                told.getMessage().endsWith(". Opening registers " + (slots + sends + 4096) + already),
                told.getMessage());
        assertEquals(Map.of(), verbs.living());
    }

    @Test
    void aPeerForWhichTheDeviceHasNoQueuePairFailsWithHowManyThereAre() throws InterruptedException {
        verbs.limit(VerbsCalls.DEVICE_MAX_QP, 2);
        TestRank[] ranks = VerbsRanks.apart(3, DEFAULTS, verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
        VerbsRanks.channel(ranks[0]).want(2);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(2, failure.peer());
        assertTrue(failure.reason().startsWith("rdma_create_qp: ENOMEM"), failure.reason());
        assertTrue(
                failure.reason()
                        .endsWith("; this RDMA device has 2 queue pairs at most (max_qp), for all processes together"),
                failure.reason());
        exchange(ranks);
    }

    @Test
    void soDoesWhoIsAskedAndHasNone() throws InterruptedException {
        verbs.limit(VerbsCalls.DEVICE_MAX_QP, 3);
        TestRank[] ranks = VerbsRanks.apart(3, DEFAULTS, verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
        VerbsRanks.channel(ranks[0]).want(2);
        String reason = ranks[2].awaitFailure().reason();
        assertTrue(
                reason.endsWith("; this RDMA device has 3 queue pairs at most (max_qp), for all processes together"),
                reason);
        RecordingListener.Failure refusal = ranks[0].awaitFailure();
        assertEquals(2, refusal.peer());
        assertTrue(refusal.reason().startsWith("it refused the connection: "), refusal.reason());
        exchange(ranks);
    }

    /** On demand it may come to fewer. */
    @Test
    void aJobThatConnectsAllIsRefusedWhereItHasMorePeersThanThereAreQueuePairs() {
        verbs.limit(VerbsCalls.DEVICE_MAX_QP, 4);
        IbChannel first = VerbsRanks.channel(VerbsRanks.apart(6, DEFAULTS, verbs)[0]);
        first.start(false);
        SluiceException refused = assertThrows(SluiceException.class, () -> first.start(true));
        assertEquals(ErrorCode.OPEN_FAILED, refused.code());
        String told = refused.getMessage();
        assertTrue(
                told.contains("has 4 queue pairs at most (max_qp)")
                        && told.contains("connecting to all takes one for each of 5 peers"),
                told);
        VerbsRanks.channel(VerbsRanks.apart(5, DEFAULTS, verbs)[0]).start(true);
    }

    @Test
    void slotsAreAsManyAsTheReceiveQueueHolds() {
        verbs.limit(VerbsCalls.DEVICE_MAX_SRQ_WR, 20);
        exchange(VerbsRanks.joined(2, DEFAULTS, verbs));
    }

    @Test
    void allMessagesAreCopiedWhereAWorkRequestNamesOnePieceOfMemory() {
        verbs.limit(VerbsCalls.DEVICE_MAX_SGE, 1);
        TestRank[] ranks = VerbsRanks.joined(2, DEFAULTS, verbs);
        assertEquals(Integer.MAX_VALUE, ranks[0].channel.lending().lendFromBytes());
        exchange(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {VerbsCalls.DEVICE_MAX_QP_RD_ATOM, VerbsCalls.DEVICE_MAX_QP_INIT_RD_ATOM})
    void nothingIsReadWhereTheDeviceReadsNothing(int limit) {
        verbs.limit(limit, 0);
        TestRank[] ranks = VerbsRanks.joined(2, DEFAULTS, verbs);
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        assertFalse(ranks[0].channel
                .reading()
                .describe(1, memory, null, Memory.address(memory), 4096, new RemoteReference()));
        exchange(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {VerbsCalls.DEVICE_MAX_QP_RD_ATOM, VerbsCalls.DEVICE_MAX_QP_INIT_RD_ATOM})
    void aSecondReadWaitsWhereTheDeviceHasRoomForOne(int limit) {
        verbs.limit(limit, 1);
        readOneByOne(VerbsRanks.joined(2, DEFAULTS, verbs));
    }

    @Test
    void aSecondReadWaitsWhereThePeersDeviceHasRoomForOne() {
        TestRank reader = VerbsRanks.rank(0, 2, DEFAULTS, verbs, null);
        verbs.limit(VerbsCalls.DEVICE_MAX_QP_RD_ATOM, 1);
        TestRank peer = VerbsRanks.rank(1, 2, DEFAULTS, verbs, null);
        VerbsRanks.introduce(reader, peer);
        VerbsRanks.join(reader, peer);
        readOneByOne(reader, peer);
    }

    /** The simulated device reads at once, but its completion is taken by a poll. */
    private void readOneByOne(TestRank... ranks) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        RemoteReference from = new RemoteReference();
        assertTrue(ranks[1].channel.reading().describe(0, memory, null, Memory.address(memory), 4096, from));
        for (int round = 1; round <= 2; round++) {
            assertEquals(GetResult.STARTED, get(ranks[0], from));
            assertEquals(GetResult.NO_RESOURCE, get(ranks[0], from));
            ranks[0].drive();
            assertEquals(round, ranks[0].listener.gets.size());
        }
        ranks[1].channel.reading().release(from.lease);
        exchange(ranks);
    }

    private static GetResult get(TestRank reader, RemoteReference from) {
        ByteBuffer into = ByteBuffer.allocateDirect(4096);
        return reader.channel.reading().get(1 - reader.rank, from, 0, into, null, Memory.address(into), 4096, "ticket");
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 13, 14, 15, 32, 46, 47, 53, 54, 1000})
    void theWindowIsAsLongAsQueuePairsTake(int most) {
        verbs.limit(VerbsCalls.DEVICE_MAX_QP_WR, most);
        TestRank[] ranks = VerbsRanks.joined(2, DEFAULTS, verbs);
        assertEquals(longest(most), verbs.sendRequests());
        exchange(ranks);
    }

    @Test
    void queuePairsThatTakeTooLittleAreNamedWithTheNeed() {
        verbs.limit(VerbsCalls.DEVICE_MAX_QP_WR, 6);
        String told = refused(verbs, 2, DEFAULTS).getMessage();
        assertTrue(
                told.contains("gives a queue pair 6 send work requests at most")
                        && told.contains("at least 7 requests"),
                told);
    }

    /** SoftRoCE's limit; up to so many peers the window stays, then it becomes shorter. */
    @ParameterizedTest
    @ValueSource(ints = {2, 587, 588, 2000, 4000})
    void whatAllPeersCanHaveOnTheWayFitsIntoTheCompletionQueue(int peers) {
        verbs.limit(VerbsCalls.DEVICE_MAX_CQE, 32767);
        TestRank[] ranks = VerbsRanks.apart(2, peers + 1, DEFAULTS, verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
        long need = SLOTS + (long) peers * verbs.sendRequests();
        assertTrue(
                need <= verbs.completionEntries() && verbs.completionEntries() <= 32767,
                need + " of " + verbs.completionEntries());
        assertEquals(longest((32767 - SLOTS) / peers), verbs.sendRequests());
        exchange(ranks);
    }

    @Test
    void morePeersThanTheCompletionQueueHasRoomForAreRefused() {
        verbs.limit(VerbsCalls.DEVICE_MAX_CQE, 32767);
        String told = refused(verbs, 5001, DEFAULTS).getMessage();
        assertTrue(
                told.contains("a completion queue 32767 entries")
                        && told.contains("each of 5000 peers")
                        && told.contains("sluice.ib.slots"),
                told);
    }

    @Test
    void slotsAreAsManyAsOneRegionOfTheDeviceHolds() {
        verbs.limit(VerbsCalls.DEVICE_MAX_MR_SIZE, 10 * 8256);
        exchange(VerbsRanks.joined(2, DEFAULTS, verbs));
    }

    @Test
    void aMessageThatIsLongerThanARegionIsStreamed() {
        verbs.limit(VerbsCalls.DEVICE_MAX_MR_SIZE, 1 << 20);
        TestRank[] ranks = VerbsRanks.joined(2, DEFAULTS, verbs);
        ByteBuffer memory = ByteBuffer.allocateDirect(2 << 20);
        RemoteReference into = new RemoteReference();
        assertFalse(ranks[0].channel.reading().describe(1, memory, null, Memory.address(memory), 2 << 20, into));
        assertTrue(
                ranks[0].channel.reading().describe(1, memory, null, Memory.address(memory), 1 << 19, into),
                "its parts can be registered");
        ranks[0].channel.reading().release(into.lease);
        exchange(ranks);
    }

    private static void describe(TestRank rank, ByteBuffer memory) {
        RemoteReference into = new RemoteReference();
        assertTrue(rank.channel.reading().describe(1, memory, null, Memory.address(memory), memory.capacity(), into));
        rank.channel.reading().release(into.lease);
    }

    @Test
    void programsKeepHalfOfItsRegionsRegisteredAtMost() {
        verbs.limit(VerbsCalls.DEVICE_MAX_MR, 6);
        TestRank[] ranks = VerbsRanks.joined(2, DEFAULTS, verbs);
        ByteBuffer[] buffers = new ByteBuffer[4];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(1 << 19);
            describe(ranks[0], buffers[i]);
        }
        long before = LandingRanks.sum(ranks[0], Counter.REGISTRATIONS);
        describe(ranks[0], buffers[1]);
        assertEquals(before, LandingRanks.sum(ranks[0], Counter.REGISTRATIONS), "three are kept");
        describe(ranks[0], buffers[0]);
        assertEquals(before + 1, LandingRanks.sum(ranks[0], Counter.REGISTRATIONS));
        exchange(ranks);
    }

    /** More busy peers than there are slots: at the next look there are more. */
    @Test
    void slotsAreAddedWhereBusyPeersFindNoneAndNobodyIsQuiet() {
        Options few = VerbsRanks.options(
                Map.of("sluice.ib.slots", "16", "sluice.ib.slots.most", "64", "sluice.ib.body.bytes", "256"));
        TestRank[] ranks = VerbsRanks.joined(2, few, verbs);
        long before = LandingRanks.sum(ranks[1], Counter.RECEIVE_SLOTS_ADDED);
        for (int i = 0; i < 40; i++) {
            ranks[0].send(1, i, new byte[8]);
            ranks[1].receive();
        }
        ranks[1].channel.checkPeers(ranks[1].listener);
        assertEquals(16, LandingRanks.sum(ranks[1], Counter.RECEIVE_SLOTS_ADDED) - before);
        exchange(ranks);
    }
}
