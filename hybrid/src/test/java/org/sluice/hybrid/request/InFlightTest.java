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
            requests.add("receive", new Envelope(0, 2, tag), 8, "no message has matched it", called);
        }
        assertEquals(9, requests.count());
        assertEquals(
                List.of(0, 1, 3, 4),
                requests.listed().stream().map(each -> each.envelope().tag()).toList());
        assertEquals("a future waits for it", requests.listed().get(3).threads());
    }

    /** Those that a program has completed itself; their requests go on. */
    @Test
    void futuresThatAreOverAreNoReasonToListMore() {
        InFlight requests = new InFlight(2, completion -> "", completion -> "");
        for (int tag = 0; tag < 9; tag++) {
            Completion called = Completion.reusable(null);
            called.attach(new RequestFuture());
            requests.add("receive", new Envelope(0, 2, tag), 8, "no message has matched it", called);
        }
        assertEquals(9, requests.count());
        assertEquals(
                List.of(0, 1),
                requests.listed().stream().map(each -> each.envelope().tag()).toList());
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
                new Envelope(0, Device.ANY_SOURCE, Device.ANY_TAG),
                8,
                "no message has matched it",
                Completion.reusable(null));
        requests.add("receive", new Envelope(3, 2, 1), 8, "no message has matched it", null);
        requests.add("send", new Envelope(0, 2, 1), 9, "waits for room", waited);
        assertEquals(3, requests.count());
        assertEquals(
                List.of(
                        "receive from any rank, any tag, 8 bytes: no message has matched it",
                        "send to rank 2, tag 1, 9 bytes: waits for room; thread main is parked until it is done"),
                requests.listed().stream().map(RequestState::text).toList());
    }
}
