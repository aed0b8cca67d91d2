package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class LimitsTest {
    @Test
    void loopbackIsTried() throws Exception {
        assertEquals(
                Finding.Level.OK,
                Limits.loopback(InetAddress.getLoopbackAddress()).level());
        Finding none = Limits.loopback(InetAddress.getByName("192.0.2.1"));
        assertEquals(Finding.Level.SLOWER, none.level());
        assertTrue(none.text().startsWith("no connection to 192.0.2.1 can be made ("), none.text());
    }
}
