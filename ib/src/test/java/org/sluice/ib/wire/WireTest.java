package org.sluice.ib.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;

/** What stands on the wire, and what is refused before it is believed. */
final class WireTest {
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(PacketHeader.BYTES + 24);
    private final long at = Memory.address(buffer);

    private String fault(int sequence, int kind, int says, int length, int expected) {
        PacketHeader.write(at, sequence, kind, 1, 2, says, 3);
        return PacketHeader.fault(at, length, expected);
    }

    @Test
    void theHeaderIsDrawnRight() {
        PacketHeader.write(at, 1, 2, 3, 4, 5, 6);
        int[] words = {1, 2, 3, 4, 5, 6, 0, 0};
        for (int i = 0; i < words.length; i++) {
            assertEquals(words[i], Memory.getInt(at + 4L * i), "word " + i);
        }
        assertEquals(32, PacketHeader.BYTES);
    }

    @Test
    void aPacketIsBelievedOnlyWhenAllOfItFits() {
        assertNull(fault(7, PacketKind.EAGER, 8, 40, 7));
        assertNull(fault(-1, PacketKind.CLOSE, 0, 32, -1));
        assertNull(fault(0, PacketHeader.CREDIT_KIND, 0, 32, 9));
        assertNotNull(fault(7, PacketKind.EAGER, 8, 31, 7), "shorter than a header");
        assertNotNull(fault(7, PacketKind.EAGER, 8, 39, 7), "cut short");
        assertNotNull(fault(7, PacketKind.EAGER, -1, 31, 7));
        assertNotNull(fault(7, 0, 8, 40, 7), "kind 0");
        assertNotNull(fault(7, PacketKind.LAST + 1, 8, 40, 7));
        assertNotNull(fault(8, PacketKind.EAGER, 8, 40, 7), "one is missing");
        assertNotNull(fault(6, PacketKind.EAGER, 8, 40, 7), "one comes twice");
        assertNotNull(fault(1, PacketHeader.CREDIT_KIND, 0, 32, 9), "credit is not counted");
        assertNotNull(fault(0, PacketHeader.CREDIT_KIND, 8, 40, 9), "credit has no body");
        PacketHeader.write(at, 7, PacketKind.EAGER, 1, 2, 8, 3);
        Memory.putInt(at + PacketHeader.TAKEN, 1);
        assertNotNull(PacketHeader.fault(at, 40, 7), "no goodbye");
        PacketHeader.write(at, 7, PacketKind.CLOSE, 0, 0, 0, 3);
        Memory.putInt(at + PacketHeader.TAKEN, 1);
        assertNull(PacketHeader.fault(at, 32, 7), "a goodbye");
    }

    @Test
    void howMuchWasWrittenIntoASlotIsSaidByThePacketThatTellsOfIt() {
        Memory.putLong(at + PacketHeader.BYTES + 16, 1L << 30);
        assertEquals(1L << 30, PacketHeader.bytesInSlot(at, PacketKind.ROUTE_DATA, PacketHeader.BYTES + 24));
        assertEquals(0, PacketHeader.bytesInSlot(at, PacketKind.EAGER, PacketHeader.BYTES + 24));
        assertEquals(0, PacketHeader.bytesInSlot(at, PacketKind.ROUTE_DATA, PacketHeader.BYTES + 16), "another form");
        for (long no : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Memory.putLong(at + PacketHeader.BYTES + 16, no);
            assertEquals(0, PacketHeader.bytesInSlot(at, PacketKind.ROUTE_END, PacketHeader.BYTES + 24), "no length");
        }
    }

    @Test
    void aGreetingComesBackAsItWas() {
        Greeting greeting = new Greeting(3, 5, UUID.randomUUID(), UUID.randomUUID());
        byte[] bytes = greeting.encode();
        assertEquals(Greeting.BYTES, bytes.length);
        assertEquals(greeting, Greeting.decode(bytes));
        assertEquals(greeting, Greeting.decode(Arrays.copyOf(bytes, 56)), "padded by the connection manager");
        assertNull(Greeting.decode(Arrays.copyOf(bytes, 47)));
        for (int i = 0; i < 8; i++) {
            byte[] other = bytes.clone();
            other[i] ^= 1;
            assertNull(Greeting.decode(other), "magic and version, byte " + i);
        }
    }

    @Test
    void aRefusalComesBackAsItWas() {
        for (Refusal refusal : Refusal.values()) {
            assertEquals(refusal, Refusal.decode(refusal.encode()));
        }
        assertEquals(Refusal.UNKNOWN, Refusal.decode(new byte[0]));
        assertEquals(Refusal.UNKNOWN, Refusal.decode(new byte[148]));
        byte[] future = Refusal.CROSSED.encode();
        future[7] = 99;
        assertEquals(Refusal.UNKNOWN, Refusal.decode(future));
    }
}
