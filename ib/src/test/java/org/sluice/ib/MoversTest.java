package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Which end moves a long message, by option and devices; over a library that is simulated, whose device says that it is
 * SoftRoCE, or not.
 */
final class MoversTest {
    private static final int BYTES = 4096;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private TestRank[] ranks = {};

    private VerbsCalls softRoce() {
        return VerbsRanks.softRoce(simulated);
    }

    private void join(String rendezvous, VerbsCalls... devices) {
        Options options =
                rendezvous.isEmpty() ? Options.of(Map.of()) : Options.of(Map.of("sluice.ib.rendezvous", rendezvous));
        ranks = new TestRank[devices.length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[rank] = VerbsRanks.rank(rank, ranks.length, options, devices[rank], null);
        }
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
    }

    /** How a message goes from a rank to the other, and what its receiver says to that. */
    private void assertGoes(int from, boolean isWritten, GetResult answer) {
        ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
        RemoteReference reference = new RemoteReference();
        Channel sender = ranks[from].channel;
        Channel receiver = ranks[1 - from].channel;
        assertTrue(sender.reading().describe(1 - from, source, null, Memory.address(source), BYTES, reference));
        assertEquals(isWritten ? RemoteWrites.WRITABLE : RemoteMemory.READABLE, reference.key >>> Integer.SIZE);
        assertEquals(
                answer,
                receiver.reading().get(from, reference, 0, target, null, Memory.address(target), BYTES, "ticket"));
        RemoteReference offered = new RemoteReference();
        boolean isOffered = receiver.writing().offer(from, target, null, Memory.address(target), BYTES, offered);
        assertEquals(answer == GetResult.BY_PUT, isOffered);
        if (isOffered) {
            source.put(0, (byte) 7);
            assertEquals(
                    PutResult.STARTED,
                    sender.writing().put(1 - from, reference, Memory.address(source), BYTES, offered, 0, "written"));
            assertEquals(7, target.get(0));
            receiver.writing().takeBack(from, offered.lease);
        }
        ranks[from].channel.poll(ranks[from].listener, 10);
        ranks[1 - from].channel.poll(ranks[1 - from].listener, 10);
        sender.reading().release(reference.lease);
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            assertTrue(each.listener.failures.isEmpty(), each.listener.failures.toString());
            each.channel.close();
        }
        assertEquals(Map.of(), simulated.living());
        assertTrue(simulated.wrongs().isEmpty(), simulated.wrongs().toString());
    }

    @Test
    void hardwareReads() {
        join("", simulated, simulated);
        assertGoes(0, false, GetResult.STARTED);
        assertGoes(1, false, GetResult.STARTED);
    }

    @Test
    void softRoceWrites() {
        join("", softRoce(), softRoce());
        assertGoes(0, true, GetResult.BY_PUT);
        assertGoes(1, true, GetResult.BY_PUT);
    }

    /** Nobody may write to memory of a rank on hardware, so what would have to be written there is streamed. */
    @Test
    void nothingIsReadBetweenTheTwo() {
        join("", softRoce(), simulated);
        assertGoes(1, true, GetResult.BY_PUT);
        assertGoes(0, true, GetResult.BY_STREAM);
    }

    @Test
    void aRankKnowsItsOwnDevice() {
        join("", softRoce(), simulated);
        assertTrue(((IbChannel) ranks[0].channel).isSoftRoce());
        assertFalse(((IbChannel) ranks[1].channel).isSoftRoce());
    }

    @Test
    void whatIsAskedForIsDone() {
        join("read", softRoce(), softRoce());
        assertGoes(0, false, GetResult.STARTED);
        close();
        join("write", simulated, simulated);
        assertGoes(0, true, GetResult.BY_PUT);
        close();
        join("stream", softRoce(), simulated);
        ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
        assertFalse(ranks[0].channel
                .reading()
                .describe(1, source, null, Memory.address(source), BYTES, new RemoteReference()));
    }
}
