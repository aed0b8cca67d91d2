package org.sluice.bench.hop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.jni.os.Os;

final class HopProbeTest {

    @Test
    void aHopTakesFromAFewNanosecondsToSomeMicroseconds() {
        Cores cores = Cores.allowed();
        try (HopProbe probe = new HopProbe(cores)) {
            double hop = probe.hopNs();
            if (cores.count() < 2) {
                assertEquals(0, hop, "one core has nothing to hop to");
            } else {
                // Other processes may take a core away for whole time slices.
                assertTrue(hop > 3 && hop < 50_000, () -> "hop of " + hop + " ns");
            }
        }
    }

    @Test
    void oneCoreHasNothingToHopTo() {
        try (HopProbe probe = new HopProbe(Cores.parse("0"))) {
            assertEquals(0, probe.hopNs());
        }
    }

    @Test
    void aPinnedThreadRunsOnItsCoreAlone() throws Exception {
        Cores cores = Cores.allowed();
        assertTrue(cores.count() > 0, Os.unavailableReason());
        int last = cores.number(cores.count() - 1);
        FutureTask<String> pinned = new FutureTask<>(() -> {
            Cores.pinCaller(last);
            return Cores.allowed().toString();
        });
        new Thread(pinned).start();
        assertEquals(Integer.toString(last), pinned.get(10, TimeUnit.SECONDS));
        assertEquals(cores.toString(), Cores.allowed().toString(), "this thread is not touched");
    }

    @Test
    void coresSurviveTheirText() {
        assertEquals("0,3,17", Cores.parse("0,3,17").toString());
        assertEquals(0, Cores.parse("").count());
    }
}
