package org.sluice.hybrid.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

final class InFlightTest {
    @Test
    void whatAThreadWaitsForIsListedHoweverManyThereAre() {
        Completion waited = Completion.reusable(null);
        InFlight requests = new InFlight(1, completion -> completion == waited ? "thread main is parked until it is done" : "");
        requests.add("receive", Device.ANY_SOURCE, Device.ANY_TAG, 0, 8, "no message has matched it", Completion.reusable(null));
        requests.add("receive", 2, 1, 3, 8, "no message has matched it", null);
        requests.add("send", 2, 1, 0, 9, "waits for room", waited);
        assertEquals(3, requests.count());
        assertEquals(List.of("receive from any rank, any tag, 8 bytes: no message has matched it",
                "send to rank 2, tag 1, 9 bytes: waits for room; thread main is parked until it is done"),
                requests.listed().stream().map(RequestState::text).toList());
    }
}
