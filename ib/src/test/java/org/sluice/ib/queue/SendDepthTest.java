package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SendDepthTest {
    private static int all(int window) {
        return SendDepth.of(window, SendDepth.transfers(window), SendDepth.transfers(window));
    }

    /** Of SoftRoCE's queue, which leaves one place empty. */
    private static int places(int requests) {
        return Integer.highestOneBit(requests) * 2;
    }

    @Test
    void whatStandsBesideASmallWindowTakesNoMorePlacesThanTheWindowAlone() {
        assertEquals(places(8), places(all(8)), () -> all(8) + " work requests");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 16, 4096})
    void nothingIsWithoutAWorkRequest(int window) {
        assertTrue(SendDepth.control(window) > 0 && SendDepth.credits(window) > 0 && SendDepth.transfers(window) > 0);
        assertEquals(
                window + SendDepth.control(window) + SendDepth.credits(window) + 2 * SendDepth.transfers(window) + 2,
                all(window));
    }

    @Test
    void messagesAloneLeaveRoomForThoseThatWaited() {
        assertEquals(0, SendDepth.together(1), "there must be room for one");
        assertEquals(1, SendDepth.together(4));
        assertEquals(2, SendDepth.together(8));
    }

    @Test
    void manyPiecesAreOnTheWayUnlessAConnectionIsToBeSmall() {
        assertEquals(1, SendDepth.transfers(8));
        assertEquals(16, SendDepth.transfers(16));
    }
}
