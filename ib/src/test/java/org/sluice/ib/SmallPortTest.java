package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.ib.sim.SimulatedVerbs;

/**
 * A port that carries no message longer than a few pages, over a library that is simulated and fails what is longer:
 * whoever moves a long message is told how long a piece may be, and goes by that ({@code PulledPiecesTest},
 * {@code WrittenPiecesTest} in hybrid).
 */
final class SmallPortTest {
    private static final int MOST = 12_288;
    /** The last piece is shorter. */
    private static final int BYTES = 10 * MOST + 17;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private final ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference described = new RemoteReference();
    private TestRank[] ranks = {};

    private void open(String rendezvous) {
        simulated.carryAtMost(MOST);
        ranks = VerbsRanks.joined(2, VerbsRanks.options(Map.of("sluice.ib.rendezvous", rendezvous)), simulated);
        byte[] content = new byte[BYTES];
        new Random(1).nextBytes(content);
        source.put(0, content);
        assertTrue(ranks[0].channel.reading().describe(1, source, null, Memory.address(source), BYTES, described));
        assertEquals(MOST, ranks[0].channel.reading().getBytes(described));
    }

    private void assertArrived(List<RecordingListener.Get> ends) {
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
        }
        assertEquals(Collections.nCopies(11, new RecordingListener.Get("piece", true)), ends);
        assertEquals(-1, source.mismatch(target));
    }

    @AfterEach
    void close() {
        ranks[0].channel.reading().release(described.lease);
        for (TestRank each : ranks) {
            each.channel.close();
        }
        assertEquals(List.of(), simulated.wrongs());
    }

    @Test
    void readsAreNoLonger() {
        open("read");
        Channel receiver = ranks[1].channel;
        assertEquals(
                GetResult.FAILED,
                receiver.reading().get(0, described, 0, target, null, Memory.address(target), MOST + 1, "piece"));
        for (int at = 0; at < BYTES; at += MOST) {
            assertEquals(
                    GetResult.STARTED,
                    receiver.reading()
                            .get(
                                    0,
                                    described,
                                    at,
                                    target,
                                    null,
                                    Memory.address(target) + at,
                                    Math.min(MOST, BYTES - at),
                                    "piece"));
            receiver.poll(ranks[1].listener, 10);
        }
        assertArrived(ranks[1].listener.gets);
    }

    @Test
    void writesAreNoLonger() {
        open("write");
        RemoteReference offered = new RemoteReference();
        assertTrue(ranks[1].channel.writing().offer(0, target, null, Memory.address(target), BYTES, offered));
        Channel sender = ranks[0].channel;
        assertEquals(
                PutResult.FAILED,
                sender.writing().put(1, described, Memory.address(source), MOST + 1, offered, 0, "piece"));
        for (int at = 0; at < BYTES; at += MOST) {
            assertEquals(
                    PutResult.STARTED,
                    sender.writing()
                            .put(
                                    1,
                                    described,
                                    Memory.address(source) + at,
                                    Math.min(MOST, BYTES - at),
                                    offered,
                                    at,
                                    "piece"));
            sender.poll(ranks[0].listener, 10);
        }
        assertArrived(ranks[0].listener.puts);
        ranks[1].channel.writing().takeBack(0, offered.lease);
    }
}
