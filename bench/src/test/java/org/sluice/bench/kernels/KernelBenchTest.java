package org.sluice.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.sluice.bench.contestant.SluiceRequests;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Route;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

/** What is said of a kernel's result. */
final class KernelBenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final KernelBench bench = new KernelBench(
            JavaHome.current(),
            new Machine("cpu", 2, "6", "17"),
            true,
            new PrintWriter(out, true),
            new PrintWriter(err, true));

    @Test
    void aRightResultHasItsSpeedup() {
        bench.report(reading(true), new KernelBench.Place(Route.SHM, 2, 2), 25);
        assertTrue(bench.isGood());
        assertEquals("", err.toString());
        assertTrue(out.toString().contains("2.00       yes"), out::toString);
        String record = bench.json().get(0);
        assertTrue(
                record.contains("\"unit\":\"MOPS\",\"mean\":50.0")
                        && record.contains("\"class\":\"W\",\"scaling\":\"strong\",\"verified\":true"),
                record);
    }

    @Test
    void aWrongResultIsToldWithItsValue() {
        bench.report(reading(false), new KernelBench.Place(Route.SHM, 2, 2), 25);
        assertFalse(bench.isGood());
        assertEquals(
                "sluice: cg of class W on 2 ranks (shm) is wrong: zeta 1, official 2",
                err.toString().strip());
        assertTrue(bench.json().get(0).contains("\"verified\":false"), bench.json()::toString);
    }

    @Test
    void readingsComeBackAsTheyWere() {
        assertEquals(reading(true), KernelReading.parse(reading(true).encode()));
        for (Api api : KernelName.NBODY_PATCHES.apis()) {
            KernelReading one = new KernelReading(
                    KernelName.NBODY_PATCHES,
                    new Problem(ProblemClass.A, true, api),
                    true,
                    new KernelReading.Figures(50, 2, 1.5),
                    "off by 1e-15");
            assertEquals(one, KernelReading.parse(one.encode()));
            bench.report(one, new KernelBench.Place(Route.SHM, 4, 2), 25);
            String record = bench.json().get(bench.json().size() - 1);
            assertFalse(record.contains("connections"), record);
            assertTrue(record.contains("\"api\":\"" + api.label() + "\"") && record.contains("\"jvms\":2"), record);
        }
        assertNull(KernelReading.parse("Picked up JAVA_TOOL_OPTIONS: -Xint"));
    }

    @Test
    void overTcpConnectionsAreCounted() {
        bench.report(reading(true), new KernelBench.Place(Route.TCP, 4, 4), 25);
        String record = bench.json().get(bench.json().size() - 1);
        assertTrue(record.contains("\"connections\":0"), record);
    }

    @Test
    void withWorkRequestsARecordSaysHowMany() {
        KernelBench.Place place = new KernelBench.Place(
                Route.IB, 2, 2, "sluice-8-separate", SluiceRequests.options(8).get("sluice-8-separate"));
        assertEquals("off", place.options().get("SLUICE_IB_COALESCE"));
        bench.report(reading(true), place, 25);
        String record = bench.json().get(bench.json().size() - 1);
        assertTrue(record.contains("\"peer\":\"sluice-8-separate\""), record);
    }

    private static KernelReading reading(boolean isVerified) {
        return new KernelReading(
                KernelName.CG,
                new Problem(ProblemClass.W, false),
                isVerified,
                new KernelReading.Figures(50, 2, 0),
                "zeta 1, official 2");
    }
}
