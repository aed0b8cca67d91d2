package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.ib.sim.TimedChannels;

@Tag("once")
final class TimedChannelsTest {
    @Test
    void eachMessageArrivesAndWhatItsCallsTakeIsToldApart() {
        int roundTrips = 2_000;
        try (TimedChannels channels = new TimedChannels(8)) {
            TimedChannels.Times times = channels.exchange(roundTrips);
            assertEquals(2 * roundTrips, times.messages());
            assertEquals(8L * times.messages(), channels.arrivedBytes());
            assertTrue(times.calls() >= 2 * times.messages(), "a post and a poll at least: " + times);
            assertTrue(times.callNanos() > 0, times::toString);
        }
    }
}
