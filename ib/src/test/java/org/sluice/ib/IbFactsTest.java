package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;

final class IbFactsTest {
    private final IbFacts facts =
            new IbFacts(3, new byte[] {10, 9, 0, 1}, 4711, UUID.randomUUID(), UUID.randomUUID(), 8192, 16, true);

    @Test
    void factsComeBackAsTheyWere() {
        IbFacts read = IbFacts.decode(3, facts.encode());
        assertArrayEquals(facts.address(), read.address());
        assertEquals(facts.toString(), read.toString());
        assertEquals(facts.secret(), read.secret());
        assertTrue(read.isSoftRoce());
        assertEquals("10.9.0.1 port 4711", read.where());
        assertFalse(facts.toString().contains(facts.secret().toString()), "the secret stays out of messages");
    }

    @Test
    void whatMakesNoSenseIsRefusedWithThePeersRank() {
        byte[] bytes = facts.encode();
        refused(4, bytes, "rank 4");
        refused(3, Arrays.copyOf(bytes, bytes.length - 1), "can't be read");
        refused(3, new byte[0], "can't be read");
        byte[] version = bytes.clone();
        version[3]++;
        refused(3, version, "run all ranks with one Sluice");
        byte[] order = bytes.clone();
        order[4] ^= 3;
        refused(3, order, "byte order");
        byte[] length = bytes.clone();
        length[9] = -1;
        refused(3, length, "can't be read");
    }

    private static void refused(int peer, byte[] bytes, String saying) {
        SluiceException e = assertThrows(SluiceException.class, () -> IbFacts.decode(peer, bytes));
        assertEquals(peer, e.peer());
        assertTrue(e.getMessage().contains(saying), e.getMessage());
    }
}
