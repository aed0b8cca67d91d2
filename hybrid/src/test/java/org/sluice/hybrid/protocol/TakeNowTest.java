package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.channel.Endpoint;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.request.Completion;

/** The message that is there before its receive is begun. */
@Timeout(60)
final class TakeNowTest extends DirectReceiveFixture {
    private long takeNow(byte[] into, int source, int tag) {
        return exchange.direct().takeNow(into, 0, into.length, CONTEXT, source, tag);
    }

    @Test
    void aMessageThatIsThereIsTakenAtOnce() {
        byte[] into = new byte[100];
        assertEquals(Endpoint.NOTHING, takeNow(into, FROM, TAG));
        arrive(OTHER, TAG, bytes(3));
        assertEquals(Endpoint.NOTHING, takeNow(into, FROM, TAG));
        arrive(FROM, TAG, bytes(8));
        assertEquals(Endpoint.FOR_POLL, takeNow(into, ANY_SOURCE, TAG), "which comes first only a poll can tell");
        assertEquals(Endpoint.FOR_POLL, takeNow(into, FROM, TAG + 1));
        assertEquals(Endpoint.FOR_POLL, takeNow(new byte[7], FROM, TAG));
        assertEquals(Endpoint.taken(TAG, 8), takeNow(into, FROM, ANY_TAG));
        assertArrayEquals(bytes(8), java.util.Arrays.copyOf(into, 8));
        assertEquals(1, counters.get(Counter.RECEIVED_EXPECTED));
        assertEquals(1, counters.get(Counter.COPIES));
        assertEquals(8, counters.get(Counter.COPIED_BYTES));
        assertEquals(Endpoint.NOTHING, takeNow(into, FROM, TAG));
    }

    @Test
    void nothingIsTakenBeforeAnEarlierReceiveOrMessage() {
        byte[] into = new byte[100];
        byte[] first = new byte[8];
        Completion earlier = post(first, ANY_SOURCE, ANY_TAG);
        arrive(FROM, TAG, bytes(8));
        assertEquals(Endpoint.FOR_POLL, takeNow(into, FROM, TAG), "a receive was posted before");
        exchange.work();
        assertTrue(earlier.isReached());
        assertArrayEquals(bytes(8), first);
        arrive(FROM, TAG, bytes(5));
        exchange.work();
        arrive(FROM, TAG, bytes(6));
        assertEquals(Endpoint.FOR_POLL, takeNow(into, FROM, TAG), "a message waits already");
        assertTrue(post(first, FROM, TAG).isReached());
        assertArrayEquals(bytes(5), java.util.Arrays.copyOf(first, 5));
        assertEquals(Endpoint.taken(TAG, 6), takeNow(into, FROM, TAG));
        exchange.probes().begin(new Probe(CONTEXT, FROM, TAG, null, new Completion(null)));
        arrive(FROM, TAG, bytes(7));
        assertEquals(Endpoint.FOR_POLL, takeNow(into, FROM, TAG), "a probe was made before");
        exchange.failPosted(CLOSED);
        assertEquals(Endpoint.FOR_POLL, takeNow(into, FROM, TAG), "the device closes");
    }

    /** A sender must learn that its messages were taken, or it stops at its share. */
    @Test
    void whatIsTakenIsReleased() {
        byte[] into = new byte[1000];
        for (int i = 0; i < 2 * SHARE / 1000; i++) {
            arrive(FROM, TAG, into);
            assertEquals(Endpoint.taken(TAG, 1000), takeNow(into, FROM, TAG));
        }
        assertTrue(
                channel.sent.stream()
                                .filter(sent -> sent.kind() == PacketKind.RELEASE)
                                .count()
                        >= 4,
                "sent " + channel.sent.size());
    }
}
