package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every channel does, whatever moves its bytes. A channel's tests extend this and say how to open connected ranks; everything
 * runs in one JVM.
 */
public abstract class ChannelConformance {
    private static final int LAST_TAG = Integer.MAX_VALUE;

    protected final long seed = new Random().nextLong();
    protected final Random random = new Random(seed);
    protected TestRank[] ranks;

    /** Opens this many connected ranks, numbered from 0. */
    protected abstract TestRank[] open(int count) throws Exception;

    /** Whether objects travel with RNDV_START. */
    protected abstract boolean carriesObjects();

    @BeforeEach
    void openTwo() throws Exception {
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        ranks = open(2);
    }

    @AfterEach
    void closeAll() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    protected final byte[] randomBody(int bytes) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        return body;
    }

    @Test
    void aPacketArrivesAsItWasSent() {
        byte[] body = randomBody(8);
        ranks[0].trySend(1, PacketKind.EAGER, 7, LAST_TAG, body, null);
        RecordingListener.Packet packet = ranks[1].receive();
        assertEquals(0, packet.peer());
        assertEquals(PacketKind.EAGER, packet.kind());
        assertEquals(7, packet.contextId());
        assertEquals(LAST_TAG, packet.tag());
        assertArrayEquals(body, packet.body());
        assertEquals(0, ranks[1].channel.poll(ranks[1].listener, 10), "nothing else was sent");
    }
}
