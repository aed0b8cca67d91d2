package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * What a device that failed, and so polls no more, can still tell a peer to which no packet goes; over a library that
 * is simulated.
 */
final class StuckGoodbyeTest {
    private static final int MOST = 1000;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final TestRank[] ranks = VerbsRanks.apart(2, VerbsRanks.options(Map.of()), simulated);
    private final Channel channel = ranks[0].channel;

    private int sentUntilFull(int kind, int bytes) {
        int sent = 0;
        while (ranks[0].trySend(1, kind, 0, 0, new byte[bytes], null) == Channel.SENT) {
            assertTrue(++sent < MOST, "nothing bounds what is on the way");
        }
        return sent;
    }

    @Test
    void aPeerHearsByTheEndOfTheConnectionWhatNoPacketTells() throws InterruptedException {
        // In the order of whoever says goodbye: right after the packet the connection may be there.
        assertTrue(channel.connecting().makesRoomUnpolled(1), "the helper makes the connection");
        assertEquals(Channel.NO_RESOURCE, ranks[0].trySend(1, PacketKind.CLOSE, 0, 0, new byte[8], null));
        VerbsRanks.join(ranks[0], ranks[1]);
        int sent = sentUntilFull(PacketKind.EAGER, 8) + sentUntilFull(PacketKind.RELEASE, 8);
        ranks[1].await(sent);
        assertEquals(
                Channel.NO_RESOURCE,
                ranks[0].trySend(1, PacketKind.CLOSE, 0, 0, new byte[8], null),
                "the peer's progress makes no room");
        assertFalse(channel.connecting().makesRoomUnpolled(1));
        channel.disconnect(1);
        assertEquals(0, ranks[1].awaitFailure().peer());
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), simulated.wrongs());
    }
}
