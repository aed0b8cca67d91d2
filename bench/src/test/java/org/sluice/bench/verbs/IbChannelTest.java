package org.sluice.bench.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class IbChannelTest {
    @Test
    void whatIsWrittenIsRead() {
        IbChannelReading reading =
                new IbChannelReading(6000, new double[] {60.5, 61, 70}, 300.25, 3, -1, "perf says <not supported>");
        IbChannelReading read = IbChannelReading.parse(reading.encode());
        assertArrayEquals(reading.own(), read.own());
        assertEquals(
                "6000 300.25 3.0 -1.0 perf says <not supported>",
                read.messages() + " " + read.callNs() + " " + read.calls() + " " + read.instructions() + " "
                        + read.why());
        assertEquals(61, read.at(0.5));
        assertEquals(70, read.at(0.99));
        assertNull(IbChannelReading.parse("ib-channel-reading 1 2 3 4 -"));
        assertNull(IbChannelReading.parse("something 1 2 3 4 - 6"));
    }

    @Test
    void whatPerfCountsIsOfAMessage() {
        Instructions counted = new Instructions();
        counted.read("1200000,,instructions:u,1000123456,100.00,,\n", 4000);
        assertEquals(300, counted.ofAMessage());
        assertEquals("", counted.why());
        Instructions refused = new Instructions();
        refused.read("<not supported>,,instructions:u,0,100.00,,\n", 4000);
        assertEquals(-1, refused.ofAMessage());
        assertEquals("perf says <not supported>", refused.why());
    }
}
