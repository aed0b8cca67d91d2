package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Both ends of a persistent route know whether what goes there is long: rank 0 writes into a slot of rank 1, over a
 * library that is simulated.
 */
final class RouteTrafficTest {
    private static final int BYTES = 65536;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final ByteBuffer ours = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference source = new RemoteReference();
    private final RemoteReference slot = new RemoteReference();
    private TestRank[] ranks = {};

    private void open(VerbsCalls verbs, String eager) {
        ranks = VerbsRanks.joined(2, VerbsRanks.options(Map.of("sluice.ib.eager", eager)), verbs);
        assertTrue(ranks[0].channel.remoteSlots().source(ours, Memory.address(ours), BYTES, source));
        assertTrue(ranks[1].channel.remoteSlots().lend(0, BYTES, slot));
        assertMoved(false, "nothing went");
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            assertTrue(each.listener.failures.isEmpty(), each.listener.failures.toString());
            each.channel.close();
        }
        Reference.reachabilityFence(ours);
    }

    /** Its bytes, the packet that tells of them, and the slot's release: as a device sends them. */
    private void message(int bytes) {
        assertTrue(ranks[0].channel.remoteSlots().write(1, source, Memory.address(ours), bytes, slot, 0, "written"));
        control(0, PacketKind.ROUTE_DATA, 1, 0, bytes);
        control(1, PacketKind.ROUTE_RELEASE, 1, 1);
        assertEquals(new RecordingListener.Get("written", true), ranks[0].listener.puts.remove(0));
    }

    private void control(int from, int kind, long... body) {
        ranks[from].sendUntilTaken(1 - from, kind, 0, 7, body, Memory.arrayOffset(body), body.length * Long.BYTES);
        assertEquals(kind, ranks[1 - from].receive().kind());
    }

    private void assertMoved(boolean expected, String when) {
        assertEquals(expected, VerbsRanks.channel(ranks[0]).isMovedOnCores(), "the sender, when " + when);
        assertEquals(expected, VerbsRanks.channel(ranks[1]).isMovedOnCores(), "the receiver, when " + when);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write", "write-imm"})
    void longMessagesOfARouteAreKnownAtBothEndsAndShortOnesAreNot(String eager) {
        open(VerbsRanks.softRoce(simulated), eager);
        for (int i = 0; i < 10; i++) {
            message(1000);
        }
        assertMoved(false, "short messages went");
        for (int i = 0; i < 10; i++) {
            message(BYTES);
        }
        assertMoved(true, "long messages went");
        for (TestRank each : ranks) {
            each.channel.checkPeers(each.listener);
            each.channel.checkPeers(each.listener);
        }
        assertMoved(false, "nothing went since the last look but one");
        message(BYTES);
        assertMoved(true, "one long message went");
    }

    @Test
    void anAdapterInHardwareMovesThemItself() {
        open(simulated, "send");
        message(BYTES);
        assertMoved(false, "a long message went");
    }
}
