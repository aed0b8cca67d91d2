package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;

/** A rank of the job that writes what no Sluice writes: it is cut off, and others notice nothing. */
final class HostileTcpTest {
    private static final int HEADER = 32;

    private TestRank[] ranks;

    @BeforeEach
    void open() {
        ranks = TcpRanks.joined(3, TcpRanks.options());
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    /** Past the channel, onto its socket. */
    private void write(int sequence, int kind, int contextId, int tag, int bytes, int consumed, long offset)
            throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + Math.max(0, Math.min(bytes, 100)))
                .order(ByteOrder.nativeOrder())
                .putInt(sequence)
                .putInt(kind)
                .putInt(contextId)
                .putInt(tag)
                .putInt(bytes)
                .putInt(consumed)
                .putLong(offset)
                .clear();
        while (frame.hasRemaining()) {
            TcpRanks.channel(ranks[0]).socket(1).write(frame);
        }
    }

    private void isCutOff(String reason) throws InterruptedException {
        RecordingListener.Failure failure = ranks[1].awaitFailure();
        assertEquals(0, failure.peer());
        assertTrue(failure.corrupt(), failure.reason());
        assertTrue(failure.reason().contains(reason), failure.reason());
        ranks[1].listener.packets.clear();
        ranks[2].send(1, 9, new byte[8]);
        assertEquals(9, ranks[1].receive().tag());
        assertEquals(1, ranks[1].listener.failures.size());
    }

    @Test
    void aKindThatThereIsNot() throws Exception {
        write(1, 50, 0, 0, 0, 0, 0);
        isCutOff("a frame of kind 50");
    }

    @Test
    void aBodyThatIsTooLong() throws Exception {
        write(1, 1, 0, 0, (64 << 10) + 1, 0, 0);
        isCutOff("a body of 65537 bytes");
    }

    @Test
    void aBodyOfNegativeLength() throws Exception {
        write(1, 1, 0, 0, -1, 0, 0);
        isCutOff("a body of -1 bytes");
    }

    @Test
    void aLongControlPacket() throws Exception {
        write(1, 6, 0, 0, 49, 0, 0);
        isCutOff("a body of 49 bytes");
    }

    @Test
    void aFrameThatIsLeftOut() throws Exception {
        write(2, 1, 0, 0, 0, 0, 0);
        isCutOff("frame 2 in the place of frame 1");
    }

    @Test
    void newsOfMoreThanWasSent() throws Exception {
        write(1, 96, 0, 0, 0, 1, 0);
        isCutOff("news of more bytes than were sent to it");
    }

    @Test
    void bytesForMemoryThatNobodyOffered() throws Exception {
        write(1, 97, 0, 1, 100, 0, 0);
        isCutOff("memory that was not offered to it");
    }

    @Test
    void bytesBeyondAnOffer() throws Exception {
        ByteBuffer into = ByteBuffer.allocateDirect(150);
        RemoteReference offered = new RemoteReference();
        assertTrue(ranks[1].channel.writing().offer(0, into, null, Memory.address(into), 100, offered));
        write(1, 97, (int) offered.key, (int) offered.address, 100, 0, 1);
        isCutOff("memory that was not offered to it");
        assertEquals(ByteBuffer.allocate(150), into);
        ranks[1].channel.writing().takeBack(0, offered.lease);
    }

    @Test
    void bytesForAnOfferToSomebodyElse() throws Exception {
        ByteBuffer into = ByteBuffer.allocateDirect(100);
        RemoteReference offered = new RemoteReference();
        assertTrue(ranks[1].channel.writing().offer(2, into, null, Memory.address(into), 100, offered));
        write(1, 97, (int) offered.key, (int) offered.address, 100, 0, 0);
        isCutOff("memory that was not offered to it");
        ranks[1].channel.writing().takeBack(2, offered.lease);
    }
}
