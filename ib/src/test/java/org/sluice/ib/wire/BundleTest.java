package org.sluice.ib.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/**
 * Messages that share a packet come out as they went in, and a packet that no Sluice packs is found out before any of
 * it is believed.
 */
final class BundleTest {
    private static final int BODY = 256;

    private record Message(int kind, int contextId, int tag, byte[] payload) {
        String envelope() {
            return kind + " " + contextId + " " + tag + " " + payload.length;
        }
    }

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(PacketHeader.BYTES + BODY);
    private final long at = Memory.address(memory);
    private BundleWriter writer = new BundleWriter(BODY, false);

    private boolean add(Message message) {
        byte[] payload = message.payload;
        boolean fits = writer.isOpen()
                ? writer.mayAdd(message.kind, message.contextId, message.tag, payload.length)
                : writer.mayBegin(message.kind, payload.length);
        if (fits) {
            if (!writer.isOpen()) {
                writer.begin(at);
            }
            writer.add(
                    message.kind, message.contextId, message.tag, payload, Memory.arrayOffset(payload), payload.length);
        }
        return fits;
    }

    private static Message eager(int tag, int... payload) {
        byte[] bytes = new byte[payload.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) payload[i];
        }
        return new Message(PacketKind.EAGER, 0, tag, bytes);
    }

    private Message random() {
        byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(40) : 8];
        random.nextBytes(payload);
        return new Message(
                random.nextInt(8) == 0 ? PacketKind.RNDV_START : PacketKind.EAGER,
                random.nextInt(2),
                random.nextInt(2),
                payload);
    }

    private String fault(long packet) {
        return PacketHeader.fault(packet, PacketHeader.BYTES + Memory.getInt(packet + PacketHeader.BODY_BYTES), 9);
    }

    private static List<Message> read(long packet) {
        List<Message> all = new ArrayList<>();
        BundleReader reader = new BundleReader();
        reader.begin(packet, PacketHeader.BYTES + Memory.getInt(packet + PacketHeader.BODY_BYTES));
        while (reader.hasNext()) {
            assertTrue(reader.next());
            byte[] payload = new byte[reader.bytes()];
            Memory.copy(null, reader.payload(), payload, Memory.arrayOffset(payload), payload.length);
            all.add(new Message(reader.kind(), reader.contextId(), reader.tag(), payload));
        }
        return all;
    }

    @Test
    void theBytesAreThoseThatAreDrawn() {
        assertTrue(add(new Message(PacketKind.EAGER, 0x01020304, 0x05060708, new byte[] {7, 8})));
        assertTrue(add(new Message(PacketKind.EAGER, 0x01020304, 0x05060708, new byte[] {9, 10})));
        assertTrue(add(new Message(PacketKind.RNDV_START, 0, 3, new byte[0])));
        assertEquals(at, writer.seal(9, 77));
        assertNull(fault(at));
        int[] header = {9, PacketHeader.BUNDLE_KIND, 0, 3, 15 + 3 + 13, 77, 0, 0};
        for (int i = 0; i < header.length; i++) {
            assertEquals(header[i], Memory.getInt(at + 4L * i), "word " + i);
        }
        byte[] expected = {1, 4, 3, 2, 1, 8, 7, 6, 5, 2, 0, 0, 0, 7, 8, 0, 9, 10, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0
        };
        byte[] body = new byte[writer.packetBytes() - PacketHeader.BYTES];
        memory.get(PacketHeader.BYTES, body);
        assertArrayEquals(expected, body);
    }

    /** What the cache of envelopes saves can be measured without it; whoever reads needs no switch. */
    @Test
    void envelopesMayAllBeWritten() {
        BundleWriter whole = new BundleWriter(BODY, true);
        assertTrue(whole.packs() && !new BundleWriter(0, true).packs());
        byte[] payload = {7, 8};
        whole.begin(at);
        whole.add(PacketKind.EAGER, 1, 2, payload, Memory.arrayOffset(payload), payload.length);
        assertTrue(whole.mayAdd(PacketKind.EAGER, 1, 2, payload.length));
        whole.add(PacketKind.EAGER, 1, 2, payload, Memory.arrayOffset(payload), payload.length);
        assertEquals(at, whole.seal(9, 1));
        assertEquals(PacketHeader.BYTES + 2 * (13 + payload.length), whole.packetBytes());
        assertNull(fault(at));
        List<Message> all = read(at);
        assertEquals(2, all.size());
        for (Message each : all) {
            assertEquals(2, each.tag);
            assertArrayEquals(payload, each.payload);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatGoesInComesOutInOrder(boolean isWhole) {
        writer = new BundleWriter(BODY, isWhole);
        for (int round = 0; round < 500; round++) {
            List<Message> sent = new ArrayList<>();
            for (Message next = random(); add(next); next = random()) {
                sent.add(next);
            }
            int length = PacketHeader.BYTES;
            for (int i = 0; i < sent.size(); i++) {
                boolean isSame = !isWhole
                        && i > 0
                        && sent.get(i).envelope().equals(sent.get(i - 1).envelope());
                length += (isSame ? 1 : 13) + sent.get(i).payload.length;
            }
            assertEquals(at, writer.seal(9, 1), "seed " + seed);
            assertEquals(length, writer.packetBytes(), "seed " + seed);
            assertTrue(length <= PacketHeader.BYTES + BODY, "seed " + seed);
            assertNull(fault(at), "seed " + seed);
            List<Message> got = read(at);
            assertEquals(sent.size(), got.size(), "seed " + seed);
            for (int i = 0; i < got.size(); i++) {
                assertEquals(sent.get(i).envelope(), got.get(i).envelope(), "message " + i + ", seed " + seed);
                assertArrayEquals(sent.get(i).payload, got.get(i).payload, "message " + i + ", seed " + seed);
            }
            writer.clear();
        }
    }

    @Test
    void anEqualEnvelopeCostsOneByte() {
        int count = 0;
        while (add(eager(5, 1, 2, 3, 4, 5, 6, 7, 8))) {
            count++;
        }
        assertEquals(1 + (BODY - 21) / 9, count);
    }

    @Test
    void aSingleMessageIsThePacketThatItWouldBeAnyway() {
        Message alone = eager(5, new int[BODY - Bundle.ENVELOPE_BYTES]);
        assertTrue(add(alone));
        assertFalse(add(eager(6)), "full");
        long packet = writer.seal(9, 3);
        assertEquals(PacketHeader.BYTES + alone.payload.length, writer.packetBytes());
        assertNull(PacketHeader.fault(packet, writer.packetBytes(), 9));
        assertEquals(PacketKind.EAGER, Memory.getInt(packet + PacketHeader.KIND));
        assertEquals(5, Memory.getInt(packet + PacketHeader.TAG));
        assertTrue(packet + writer.packetBytes() <= at + PacketHeader.BYTES + BODY, "within the slot");
    }

    @Test
    void whatCannotShareIsNotTaken() {
        assertFalse(
                add(eager(5, new int[BODY - Bundle.ENVELOPE_BYTES + 1])),
                "longer than what is left beside its envelope");
        for (int kind = 1; kind <= PacketKind.LAST; kind++) {
            boolean mayShare = kind == PacketKind.EAGER
                    || kind == PacketKind.RNDV_START
                    || kind == PacketKind.RNDV_REPLY
                    || kind == PacketKind.RNDV_END;
            assertEquals(mayShare, new BundleWriter(BODY, false).mayBegin(kind, 8), PacketKind.name(kind));
        }
        assertFalse(new BundleWriter(0, false).mayBegin(PacketKind.EAGER, 0), "nothing is packed where it is off");
        assertTrue(add(eager(5, 1)));
        assertFalse(add(new Message(PacketKind.RNDV_END, 0, 0, new byte[8])), "behind a message");
        writer.seal(9, 3);
        assertFalse(add(eager(5, 1)), "its header was written");
        writer.clear();
        assertTrue(add(new Message(PacketKind.RNDV_REPLY, 0, 0, new byte[40])));
        assertTrue(add(new Message(PacketKind.RNDV_END, 0, 0, new byte[8])));
        assertFalse(add(eager(5, 1)), "behind what needs no credit");
        writer.seal(9, 3);
        assertNull(fault(at));
        assertEquals(
                List.of("3 0 0 40", "5 0 0 8"),
                read(at).stream().map(Message::envelope).toList());
    }

    /**
     * What {@link PacketHeader#fault} says after this change of three messages: tags 5, 5 and 6, of 2, 2 and 0 bytes.
     */
    private String faultAfter(int place, int value, boolean isByte) {
        add(eager(5, 1, 2));
        add(eager(5, 3, 4));
        add(eager(6));
        writer.seal(9, 3);
        writer.clear();
        if (isByte) {
            Memory.putByte(at + place, (byte) value);
        } else {
            Memory.putInt(at + place, value);
        }
        String fault = fault(at);
        return fault == null ? "none" : fault;
    }

    @Test
    void whatNoSluicePacksIsFoundOut() {
        int first = PacketHeader.BYTES;
        int second = first + 15;
        int third = second + 3;
        assertEquals("a bundle whose first message has no envelope", faultAfter(first, 0, true));
        assertEquals("a bundle with a message of RELEASE", faultAfter(first, PacketKind.RELEASE, true));
        assertEquals("a bundle with a message of kind 65", faultAfter(first, PacketHeader.BUNDLE_KIND, true));
        assertEquals("a bundle with a message of CLOSE", faultAfter(third, PacketKind.CLOSE, true));
        assertEquals("a bundle with a message of kind -1", faultAfter(second, -1, true));
        assertEquals("a bundle with a message of -1 bytes where 18 are left", faultAfter(first + 9, -1, false));
        assertEquals("a bundle with a message of 19 bytes where 18 are left", faultAfter(first + 9, 19, false));
        assertEquals(
                "a bundle with a message of 2147483647 bytes where 18 are left",
                faultAfter(first + 9, Integer.MAX_VALUE, false));
        assertEquals("a bundle with a message of 1 bytes where 0 are left", faultAfter(third + 9, 1, false));
        assertEquals("a bundle of 3 messages that says it has 2", faultAfter(PacketHeader.TAG, 2, false));
        assertEquals("a bundle of 3 messages that says it has 4", faultAfter(PacketHeader.TAG, 4, false));
        assertEquals("a bundle of 3 messages that says it has -1", faultAfter(PacketHeader.TAG, -1, false));
        assertEquals("a bundle with a context of its own", faultAfter(PacketHeader.CONTEXT_ID, 1, false));
        assertEquals("a bundle that ends within an envelope", faultAfter(PacketHeader.BODY_BYTES, 15 + 3 + 12, false));
        assertEquals("a bundle of 0 messages that says it has 3", faultAfter(PacketHeader.BODY_BYTES, 0, false));
        assertEquals("packet 8 where 9 had to come", faultAfter(PacketHeader.SEQUENCE, 8, false));
        add(eager(5, 1));
        writer.seal(9, 3);
        PacketHeader.write(at, 9, PacketHeader.BUNDLE_KIND, 0, 1, 14, 3);
        add(eager(5, 1));
        Memory.putByte(at + first, (byte) PacketKind.EAGER);
        Memory.putInt(at + first + 9, 1);
        assertEquals("a bundle of 1 messages that says it has 1", fault(at));
    }

    /** Whatever stands there: what is found right is read within its body, and all of it. */
    @Test
    void noBytesLeadOutOfThePacket() {
        int right = 0;
        for (int round = 0; round < 20_000; round++) {
            int body = randomBundle();
            Memory.putByte(at + PacketHeader.BYTES + random.nextInt(body), (byte) random.nextInt(4));
            if (PacketHeader.fault(at, PacketHeader.BYTES + body, 9) == null) {
                right++;
                long end = at + PacketHeader.BYTES;
                BundleReader reader = new BundleReader();
                for (reader.begin(at, PacketHeader.BYTES + body);
                        reader.hasNext();
                        end = reader.payload() + reader.bytes()) {
                    assertTrue(reader.next());
                    assertTrue(
                            reader.bytes() >= 0 && reader.payload() > end && Bundle.mayHold(reader.kind()),
                            "seed " + seed);
                }
                assertEquals(at + PacketHeader.BYTES + body, end, "seed " + seed);
            }
        }
        assertTrue(right > 1000, right + " changes did no harm, as those of payloads");
    }

    /** A peer that writes into its landing ring can still change what was found right. */
    @Test
    void whatChangesWhileItIsReadLeadsNowhereElse() {
        int refused = 0;
        BundleReader reader = new BundleReader();
        for (int round = 0; round < 20_000; round++) {
            int body = randomBundle();
            reader.begin(at, PacketHeader.BYTES + body);
            Memory.putByte(at + PacketHeader.BYTES + random.nextInt(body), (byte) random.nextInt());
            while (reader.hasNext() && reader.next()) {
                assertTrue(reader.payload() > at + PacketHeader.BYTES && Bundle.mayHold(reader.kind()), "seed " + seed);
                assertTrue(
                        reader.bytes() >= 0 && reader.payload() + reader.bytes() <= at + PacketHeader.BYTES + body,
                        "seed " + seed);
            }
            refused += reader.hasNext() ? 1 : 0;
        }
        assertTrue(refused > 1000, refused + " changes were seen");
    }

    /** @return how long its body is */
    private int randomBundle() {
        boolean isBundle = false;
        int body = 0;
        while (!isBundle) {
            while (add(random()) && random.nextInt(6) != 0) {
                // As many as chance has it.
            }
            isBundle = writer.seal(9, 1) == at;
            body = writer.packetBytes() - PacketHeader.BYTES;
            writer.clear();
        }
        return body;
    }
}
