package org.sluice.hybrid.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.sluice.device.Device;

/** What the queues must leave behind: nothing. */
final class MatchableState {
    private MatchableState() {}

    static void assertForgotten(Matchable entry) {
        assertNull(entry.owner);
        assertNull(entry.next);
        assertNull(entry.previous);
        assertEquals(0, entry.indexed);
        for (int slot = 0; slot < 4; slot++) {
            assertNull(entry.keyNext(slot));
            assertNull(entry.keyPrevious(slot));
            assertNull(entry.chain(slot));
        }
    }

    static void assertNoKeys(PostedReceiveQueue posted, UnexpectedMessageQueue unexpected) {
        assertEmpty(posted.table());
        assertEmpty(unexpected.table(0, 0));
        assertEmpty(unexpected.table(Device.ANY_SOURCE, 0));
        assertEmpty(unexpected.table(0, Device.ANY_TAG));
        assertEmpty(unexpected.table(Device.ANY_SOURCE, Device.ANY_TAG));
    }

    private static void assertEmpty(KeyTable table) {
        assertEquals(0, table.keys());
        assertEquals(0, table.longestChain());
    }
}
