package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.AnyOf;
import org.sluice.hybrid.request.Completion;

/** A wait that looks for the message of its own receive before it polls everything. */
@Timeout(60)
final class LookForTest extends DirectReceiveFixture {
    private static final int REACHED = 1;
    private static final int NOTHING = 0;
    private static final int ROUNDS_TELL = -1;

    private final byte[] first = new byte[8];
    private final byte[] second = new byte[8];

    @Test
    void theMessageOfTheReceiveIsTakenAndTheOthersStayInTheirRings() {
        Completion left = post(first, OTHER, TAG);
        Completion right = post(second, FROM, ANY_TAG);
        assertEquals(NOTHING, exchange.lookFor(right));
        arrive(FROM, TAG, bytes(8));
        arrive(FROM, TAG, bytes(3));
        assertEquals(REACHED, exchange.lookFor(right));
        assertTrue(right.isReached());
        right.result(status);
        assertEquals(FROM, status.source());
        assertEquals(TAG, status.tag());
        assertEquals(8, status.bytes());
        assertArrayEquals(bytes(8), second);
        assertFalse(left.isReached());
        assertEquals(NOTHING, exchange.lookFor(left));
        assertEquals(1, counters.get(Counter.RECEIVED_EXPECTED));
        assertEquals(0, counters.get(Counter.RECEIVED_UNEXPECTED), "the second is left alone");
        assertEquals(ROUNDS_TELL, exchange.lookFor(right), "it is over");
    }

    @Test
    void anEarlierReceiveOfTheSameSourceGetsItsMessageFirst() {
        for (int source : new int[] {FROM, ANY_SOURCE}) {
            Completion earlier = post(first, source, TAG);
            Completion later = post(second, FROM, TAG);
            arrive(FROM, TAG, bytes(8));
            assertEquals(ROUNDS_TELL, exchange.lookFor(later));
            assertEquals(source == FROM ? REACHED : ROUNDS_TELL, exchange.lookFor(earlier));
            exchange.work();
            assertTrue(earlier.isReached());
            assertFalse(later.isReached());
            arrive(FROM, TAG, bytes(5));
            assertEquals(REACHED, exchange.lookFor(later));
            assertArrayEquals(bytes(8), first);
            assertArrayEquals(bytes(5), java.util.Arrays.copyOf(second, 5));
        }
    }

    @Test
    void whatDoesNotFitIsForTheRounds() {
        Completion short1 = post(new byte[7], FROM, TAG);
        arrive(FROM, TAG, bytes(8));
        assertEquals(ROUNDS_TELL, exchange.lookFor(short1));
        exchange.work();
        assertEquals(ErrorCode.TRUNCATED, short1.error());

        Completion wanted = post(first, FROM, TAG);
        arrive(FROM, TAG + 1, bytes(4));
        arrive(FROM, TAG, bytes(8));
        assertEquals(ROUNDS_TELL, exchange.lookFor(wanted), "another tag stands before it");
        exchange.work();
        assertEquals(REACHED, exchange.lookFor(wanted));
        assertTrue(post(second, FROM, TAG + 1).isReached(), "which was stored");
    }

    @Test
    void rendezvousCancelAndTheEndOfTheDeviceAreForTheRounds() {
        Completion large = post(new byte[300], FROM, TAG);
        Completion small = post(first, OTHER, TAG);
        long[] start = {77, 300, RemoteReference.NO_REFERENCE, 0};
        byte[] body = new byte[32];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), 32);
        channel.arrive(FROM, PacketKind.RNDV_START, CONTEXT, TAG, body);
        assertEquals(ROUNDS_TELL, exchange.lookFor(large));
        exchange.work();
        assertTrue(exchange.isMoving());
        assertEquals(ROUNDS_TELL, exchange.lookFor(small), "its rounds move the large one too");

        long id = channel.sent.remove().words()[1];
        channel.arrive(FROM, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, bytes(300));
        exchange.work();
        assertTrue(large.isReached());
        assertEquals(NOTHING, exchange.lookFor(small));
        assertTrue(exchange.cancel(small));
        assertEquals(ROUNDS_TELL, exchange.lookFor(small));

        Completion last = post(first, FROM, TAG);
        exchange.end(CLOSED);
        arrive(FROM, TAG, bytes(8));
        assertEquals(ROUNDS_TELL, exchange.lookFor(last));
        assertEquals(ErrorCode.DEVICE_CLOSED, last.error());
    }

    @Test
    void otherGoalsAreForTheRounds() {
        Completion receive = post(first, FROM, TAG);
        assertEquals(ROUNDS_TELL, exchange.lookFor(new AnyOf(new Completion[] {receive})));
        assertEquals(ROUNDS_TELL, exchange.lookFor(new Completion(null)));
        assertEquals(ROUNDS_TELL, exchange.lookFor(post(second, ANY_SOURCE, TAG)));
    }

    /** A halo exchange: what the left neighbour has still to send is in nobody's way. */
    @Test
    void aNewReceiveTakesItsMessagePastTheReceivesAndMessagesOfOthers() {
        post(first, OTHER, TAG);
        arrive(FROM, TAG, bytes(4));
        assertEquals(Endpoint.taken(TAG, 4), exchange.direct().takeNow(second, 0, 8, CONTEXT, FROM, TAG));
        arrive(OTHER, TAG + 1, bytes(2));
        exchange.work();
        arrive(FROM, TAG, bytes(5));
        assertEquals(Endpoint.taken(TAG, 5), exchange.direct().takeNow(second, 0, 8, CONTEXT, FROM, TAG));
        assertEquals(1, counters.get(Counter.RECEIVED_UNEXPECTED));
    }
}
