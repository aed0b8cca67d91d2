package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.sim.SimulatedVerbs;

/** What was accepted and never acknowledged is known of after close, over a library that is simulated. */
final class LostAtCloseTest {
    private static final int NO_ACKNOWLEDGEMENT = 12;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final ScriptedVerbs scripted = new ScriptedVerbs(simulated);
    private final Options options = VerbsRanks.options(Map.of("sluice.close.timeout.ms", "200"));
    private final TestRank[] ranks = {
        VerbsRanks.rank(0, 2, options, scripted.calls(), null), VerbsRanks.rank(1, 2, options, simulated, null)
    };

    private void join() {
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
    }

    private void sayGoodbye(TestRank from) {
        assertEquals(Channel.SENT, from.trySend(1 - from.rank, PacketKind.CLOSE, 0, 0, new byte[0], null));
    }

    private void closeAll() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), simulated.wrongs());
    }

    @Test
    void nothingIsLostWhereAllWasAcknowledged() {
        join();
        ranks[0].send(1, 5, new byte[100]);
        sayGoodbye(ranks[0]);
        closeAll();
        assertNull(ranks[0].channel.connecting().undelivered(1));
        assertNull(ranks[1].channel.connecting().undelivered(0));
    }

    @Test
    void aFailureWhileItClosesIsKnown() {
        join();
        ranks[0].send(1, 5, new byte[100]);
        scripted.complete(WorkIds.SEND, NO_ACKNOWLEDGEMENT);
        sayGoodbye(ranks[0]);
        closeAll();
        SluiceException lost = ranks[0].channel.connecting().undelivered(1);
        assertEquals(ErrorCode.PEER_DEAD, lost.code());
        assertEquals(1, lost.peer());
        assertTrue(lost.getMessage().contains("no acknowledgement"), lost.getMessage());
    }

    @Test
    void aPeerThatSaidThatItClosesNeedsNothing() {
        join();
        sayGoodbye(ranks[1]);
        scripted.complete(WorkIds.SEND, NO_ACKNOWLEDGEMENT);
        ranks[0].send(1, 5, new byte[100]);
        sayGoodbye(ranks[0]);
        closeAll();
        assertNull(ranks[0].channel.connecting().undelivered(1));
    }

    @Test
    void aFailureBeforeIsKnownToo() throws InterruptedException {
        join();
        ranks[0].send(1, 5, new byte[100]);
        scripted.complete(WorkIds.KEEP_ALIVE, NO_ACKNOWLEDGEMENT);
        ranks[0].awaitFailure();
        closeAll();
        assertEquals(
                ErrorCode.PEER_DEAD,
                ranks[0].channel.connecting().undelivered(1).code());
    }

    @Test
    void soIsWhatWasNotAcknowledgedInTime() {
        join();
        ranks[0].send(1, 5, new byte[100]);
        sayGoodbye(ranks[0]);
        scripted.beSilent();
        closeAll();
        SluiceException lost = ranks[0].channel.connecting().undelivered(1);
        assertEquals(ErrorCode.TIMEOUT, lost.code());
        assertTrue(lost.getMessage().contains("sluice.close.timeout.ms"), lost.getMessage());
    }
}
