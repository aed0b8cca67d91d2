package org.sluice.hybrid.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

final class InFlightTest {
    /** Who is called back may be very many. */
    @Test
    void asManyAgainAreListedThatSomebodyIsCalledBackFor() {
        InFlight requests = new InFlight(2, completion -> "", completion -> "a future waits for it");
        for (int tag = 0; tag < 9; tag++) {
            Completion called = Completion.reusable(null);
            if (tag > 2) {
                called.attach(new RequestFuture());
            }
            requests.add("receive", 2, tag, 0, 8, "no message has matched it", called);
        }
        assertEquals(9, requests.count());
        assertEquals(
                List.of(0, 1, 3, 4),
                requests.listed().stream().map(RequestState::tag).toList());
        assertEquals("a future waits for it", requests.listed().get(3).threads());
    }

    /** Those that a program has completed itself; their requests go on. */
    @Test
    void futuresThatAreOverAreNoReasonToListMore() {
        InFlight requests = new InFlight(2, completion -> "", completion -> "");
        for (int tag = 0; tag < 9; tag++) {
            Completion called = Completion.reusable(null);
            called.attach(new RequestFuture());
            requests.add("receive", 2, tag, 0, 8, "no message has matched it", called);
        }
        assertEquals(9, requests.count());
        assertEquals(
                List.of(0, 1), requests.listed().stream().map(RequestState::tag).toList());
    }

    @Test
    void whatAThreadWaitsForIsListedHoweverManyThereAre() {
        Completion waited = Completion.reusable(null);
        InFlight requests = new InFlight(
                1,
                completion -> completion == waited ? "thread main is parked until it is done" : "",
                completion -> "");
        requests.add(
                "receive",
                Device.ANY_SOURCE,
                Device.ANY_TAG,
                0,
                8,
                "no message has matched it",
                Completion.reusable(null));
        requests.add("receive", 2, 1, 3, 8, "no message has matched it", null);
        requests.add("send", 2, 1, 0, 9, "waits for room", waited);
        assertEquals(3, requests.count());
        assertEquals(
                List.of(
                        "receive from any rank, any tag, 8 bytes: no message has matched it",
                        "send to rank 2, tag 1, 9 bytes: waits for room; thread main is parked until it is done"),
                requests.listed().stream().map(RequestState::text).toList());
    }
}
