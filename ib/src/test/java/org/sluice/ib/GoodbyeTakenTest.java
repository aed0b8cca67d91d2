package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * A peer that has got everything closes, and its queue pair is gone before the acknowledgement of a write came: its
 * goodbye says what it has taken. Over a library that is simulated.
 */
final class GoodbyeTakenTest {
    private static final int NO_ACKNOWLEDGEMENT = 12;
    private static final int BYTES = 4096;
    /** It is registered when it is used for the eighth time. */
    private static final int UNTIL_REGISTERED = 20;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final ScriptedVerbs scripted = new ScriptedVerbs(simulated);
    private final Options options = VerbsRanks.options(Map.of("sluice.ib.rendezvous", "write"));
    private final TestRank[] ranks = {
        VerbsRanks.rank(0, 2, options, scripted.calls(), null), VerbsRanks.rank(1, 2, options, simulated, null)
    };
    private final ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer into = ByteBuffer.allocateDirect(BYTES);

    /** Rank 0 writes, with or without a packet behind it, and rank 1 takes what comes and says goodbye. */
    private List<RecordingListener.Get> putsUntilGoodbye(boolean isToldOf) throws InterruptedException {
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        RemoteReference described = new RemoteReference();
        RemoteReference offered = new RemoteReference();
        long source = Memory.address(from);
        assertTrue(ranks[0].channel.reading().describe(1, MemoryOwner.of(from, null), null, source, BYTES, described));
        assertTrue(ranks[1].channel
                .writing()
                .offer(0, MemoryOwner.of(into, null), null, Memory.address(into), BYTES, offered));
        ranks[0].send(1, 4, new byte[8]);
        RemoteReference carried = new RemoteReference();
        carried.set(offered.key, offered.address, offered.object);
        scripted.completeLast(WorkIds.WRITE, NO_ACKNOWLEDGEMENT);
        assertEquals(
                PutResult.STARTED, ranks[0].channel.writing().put(1, described, source, BYTES, carried, 0, "ticket"));
        if (isToldOf) {
            ranks[0].send(1, 5, new byte[8]);
        }
        ranks[1].await(isToldOf ? 2 : 1);
        assertEquals(Channel.SENT, ranks[1].trySend(0, PacketKind.CLOSE, 0, 0, new byte[0], null));
        // The goodbye is there before the completion is looked at, as it is where an acknowledgement was lost.
        ranks[0].awaitFailure();
        assertEquals(PacketKind.CLOSE, ranks[0].listener.packets.remove().kind());
        assertTrue(scripted.isDone());
        ranks[0].channel.reading().release(described.lease);
        ranks[1].channel.writing().takeBack(0, offered.lease);
        close();
        return ranks[0].listener.puts;
    }

    private void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), simulated.wrongs());
        Reference.reachabilityFence(from);
        Reference.reachabilityFence(into);
    }

    @Test
    void whatThePeerSaysItHasTakenHasArrived() throws InterruptedException {
        assertEquals(List.of(new RecordingListener.Get("ticket", true)), putsUntilGoodbye(true));
    }

    @Test
    void whatItDoesNotMayNotHaveArrived() throws InterruptedException {
        assertEquals(List.of(new RecordingListener.Get("ticket", false)), putsUntilGoodbye(false));
    }

    @Test
    void aLoanThatThePeerSaysItHasTakenComesBackAsArrived() throws InterruptedException {
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        RemoteReference lease = new RemoteReference();
        scripted.completeLast(WorkIds.SEND, NO_ACKNOWLEDGEMENT);
        int lent = Lending.BY_COPY;
        for (int i = 0; i < UNTIL_REGISTERED && lent == Lending.BY_COPY; i++) {
            lent = ranks[0].channel.lending().lend(1, 0, 5, from, Memory.address(from), BYTES, lease, "ticket");
        }
        assertEquals(Lending.LENT, lent);
        assertEquals(5, ranks[1].receive().tag());
        assertEquals(Channel.SENT, ranks[1].trySend(0, PacketKind.CLOSE, 0, 0, new byte[0], null));
        ranks[0].awaitFailure();
        assertTrue(scripted.isDone());
        assertEquals(List.of(new RecordingListener.Get("ticket", true)), ranks[0].listener.loans);
        ranks[0].channel.reading().release(lease.lease);
        close();
    }
}
