package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;

/** The layout as other processes, and docs/explanation/protocol.md, see it: numbers are written out here on purpose. */
final class RingLayoutTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.nativeOrder());

    @Test
    void controlLinesAndCellsAreWhereTheDocumentSays() {
        assertEquals(0, RingLayout.CONSUMED_CELLS);
        assertEquals(8, RingLayout.CONSUMED_PAYLOAD);
        assertEquals(128, RingLayout.WATCHED);
        assertEquals(132, RingLayout.WITHDRAWN);
        assertEquals(192, RingLayout.CAN_READ_MEMORY);
        assertEquals(256, RingLayout.CELLS);
        assertEquals(64, RingLayout.CELL_BYTES);
        assertEquals(16, RingLayout.RESERVED_CELLS);
        assertEquals(256 + 512 * 64 + 262144, new RingSize(512, 262144).bytes());
        assertEquals(0, new RingSize(64, 16384).bytes() % RingLayout.RING_ALIGNMENT);
    }

    @Test
    void aSmallPacketIsOneLine() {
        RingWriter writer = new RingWriter(Memory.address(memory), new RingSize(64, 16384), memory);
        byte[] body = {1, 2, 3, 4, 5, 6, 7, 8};
        writer.trySend(PacketKind.EAGER, 0x11223344, 0x55667788, body, Memory.arrayOffset(body), 8);
        assertEquals(8L << 40 | 1L << 32 | 1, memory.getLong(256));
        assertEquals(0x11223344, memory.getInt(256 + 8));
        assertEquals(0x55667788, memory.getInt(256 + 12));
        byte[] found = new byte[8];
        memory.get(256 + 16, found);
        assertArrayEquals(body, found);
        for (int at = 256 + 24; at < memory.capacity(); at++) {
            assertEquals(0, memory.get(at), "byte " + at + " was written");
        }
    }

    @Test
    void aLongBodyLiesInThePayloadRingAndItsPositionInTheCell() {
        RingWriter writer = new RingWriter(Memory.address(memory), new RingSize(64, 16384), memory);
        byte[] body = new byte[100];
        body[99] = 42;
        writer.trySend(PacketKind.EAGER, 0, 0, body, Memory.arrayOffset(body), 49);
        writer.trySend(PacketKind.EAGER, 0, 0, body, Memory.arrayOffset(body), 100);
        assertEquals(0, memory.getLong(256 + 16));
        assertEquals(64, memory.getLong(256 + 64 + 16), "bodies begin at multiples of 64");
        assertEquals(42, memory.get(256 + 64 * 64 + 64 + 99));
    }

    /** What the writer says and what the reader expects, on the way to the next body and over the end of the ring. */
    @Test
    void bodiesThatAreClaimedAheadLieApartWhereTheRingHasRoom() {
        RingSize large = new RingSize(64, 262144);
        RingWriter writer = new RingWriter(Memory.address(memory), large, memory);
        RingReader reader = new RingReader(0, Memory.address(memory), large, null, (peer, reason, told) -> {}, memory);
        int[] lengths = {511, 512, 1000, 16384, 16385, 49};
        long[] positions = {0, 512, 512 + 512 + 1024, 2048 + 1024 + 1024, 4096 + 16384 + 1024, 21504 + 16448};
        byte[] body = new byte[16385];
        for (int packet = 0; packet < lengths.length; packet++) {
            assertEquals(
                    Channel.SENT,
                    writer.trySend(PacketKind.EAGER, 1, 2, body, Memory.arrayOffset(body), lengths[packet]));
            assertEquals(positions[packet], memory.getLong(256 + packet * 64 + 16), "a body of " + lengths[packet]);
        }
        for (int packet = 0; packet < 200; packet++) {
            int length = packet < lengths.length ? lengths[packet] : 10_000;
            assertEquals(Endpoint.taken(2, length), reader.takeEager(1, 2, body, Memory.arrayOffset(body), length, 1));
            assertEquals(Channel.SENT, writer.trySend(PacketKind.EAGER, 1, 2, body, Memory.arrayOffset(body), 10_000));
        }
        assertEquals(512, RingWriter.bodyEnd(0, 512, 131072), "a smaller ring has none");
    }

    @Test
    void sizesAreChosenByTheNumberOfPeers() {
        Options options = Options.of(Map.of(), Map.of(), Map.of());
        assertEquals(new RingSize(512, 2 << 20), RingSize.choose(1, options));
        assertEquals(new RingSize(512, 2 << 20), RingSize.choose(3, options));
        assertEquals(new RingSize(512, 1 << 20), RingSize.choose(4, options));
        assertEquals(new RingSize(512, 512 << 10), RingSize.choose(6, options));
        assertEquals(new RingSize(512, 256 << 10), RingSize.choose(8, options));
        for (int peers : new int[] {1, 7, 55, 64, 100, 500}) {
            assertTrue(peers * RingSize.choose(peers, options).bytes() <= 17 << 20, peers + " peers");
        }
        Options given =
                Options.of(Map.of("sluice.shm.ring.cells", "128", "sluice.shm.ring.bytes", "32k"), Map.of(), Map.of());
        assertEquals(new RingSize(128, 32 << 10), RingSize.choose(1000, given));
    }

    @Test
    void sizesThatAreNoPowersOfTwoAreRefused() {
        for (String cells : new String[] {"63", "65", "32"}) {
            Options given = Options.of(Map.of("sluice.shm.ring.cells", cells), Map.of(), Map.of());
            String message = assertThrows(IllegalArgumentException.class, () -> RingSize.choose(1, given))
                    .getMessage();
            assertTrue(message.contains("sluice.shm.ring.cells = " + cells), message);
        }
        Options small = Options.of(Map.of("sluice.shm.ring.bytes", "8k"), Map.of(), Map.of());
        assertThrows(IllegalArgumentException.class, () -> RingSize.choose(1, small));
        assertThrows(IllegalArgumentException.class, () -> new RingSize(64, 16385));
        assertThrows(IllegalArgumentException.class, () -> new RingSize(16, 16384));
    }
}
