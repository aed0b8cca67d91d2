package org.sluice.bench.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.option.Option;

final class VerbsUseTest {
    private static String refused(Runnable call) {
        return assertThrows(IllegalArgumentException.class, call::run).getMessage();
    }

    @Test
    void whatIsAskedForBecomesOptions() {
        assertEquals(Map.of(), VerbsUse.CHOSEN.options());
        assertEquals(
                Map.of("SLUICE_IB_CACHE_BYTES", Option.IB_CACHE_BYTES.defaultValue()),
                new VerbsUse(null, null, "on").options());
        assertEquals(", pool on, rendezvous read", new VerbsUse("on", "read", null).title());
        assertEquals(
                Map.of(
                        "SLUICE_IB_POOL_LIMIT_BYTES",
                        "0",
                        "SLUICE_IB_CACHE_BYTES",
                        "0",
                        "SLUICE_IB_RENDEZVOUS",
                        "write",
                        "SLUICE_EAGER_LIMIT_BYTES",
                        "0"),
                new VerbsUse("off", "write", "off").options());
        assertEquals(
                Map.of("SLUICE_EAGER_LIMIT_BYTES", "65536", "SLUICE_IB_BODY_BYTES", "65536"),
                new VerbsUse(null, "eager", null).options());
    }

    @Test
    void badWordsAreNamedWithWhatIsAllowed() {
        assertEquals(
                "--rendezvous 'put' is not known; allowed is read, write, eager",
                refused(() -> new VerbsUse(null, "put", null)));
        assertEquals("--pool 'yes' is not known; allowed is on, off", refused(() -> new VerbsUse("yes", null, null)));
    }

    @Test
    void onlyVerbsHaveThem() {
        VerbsUse read = new VerbsUse(null, "read", null);
        String message = refused(() -> read.checkRoute(Route.SHM));
        assertTrue(message.contains("--rendezvous read") && message.contains("--channel ib"), message);
        assertDoesNotThrow(() -> read.checkRoute(Route.IB));
        assertDoesNotThrow(() -> VerbsUse.CHOSEN.checkRoute(Route.SHM));
    }
}
