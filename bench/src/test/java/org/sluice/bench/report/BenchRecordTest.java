package org.sluice.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Step;
import org.sluice.bench.plan.VerbsUse;

/** Others read these lines: a change here is a change of contract. */
final class BenchRecordTest {
    private static final Machine MACHINE = new Machine("A \"fine\" \\ CPU\t", 2, "6.1.0", "17.0.15");

    private static BenchPlan plan(Benchmark benchmark) {
        return new BenchPlan(
                benchmark,
                Route.SHM,
                Api.BLOCKING,
                BufferKind.ARRAY,
                2,
                List.of(8),
                0,
                0,
                true,
                List.of(),
                false,
                false,
                1000,
                1,
                1,
                VerbsUse.CHOSEN);
    }

    @Test
    void aLatencyIsHalfARoundTripAndItsTailsComeFromTheirOwnPass() {
        long[] batches = {20_000, 22_000, 16_000};
        long[] tails = new long[1000];
        java.util.Arrays.fill(tails, 240);
        tails[0] = 2000;
        Measurement measurement = Measurement.of("sluice", Benchmark.LATENCY, 8, 3, 61, 63.04, batches, tails, 100, 1);
        assertEquals("""
            {"benchmark":"latency","peer":"sluice","channel":"shm","api":"blocking","buffer":"array","ranks":2,\
            "size":8,"unit":"ns","p50":100,"p90":120,"p99":120,"p999":120,"max":1000,"mean":96.7,"count":300,\
            "jdk":"17.0.15","kernel":"6.1.0","cpu":"A \\"fine\\" \\\\ CPU\\u0009",\
            "cores":2,"pinned":true,"round":3,"hopBeforeNs":61,"hopAfterNs":63,"state":"near","rewrite":false}\
            """, BenchRecord.json(plan(Benchmark.LATENCY), MACHINE, measurement, HopState.NEAR, true));
    }

    @Test
    void processorTimeIsThatOfAMessageWhereIterationsHaveSeveral() {
        long[] windows = {64_000};
        Measurement measurement = of(Benchmark.RATE, 8, windows);
        Step step = plan(Benchmark.RATE).step(8, 1, 90, 10);
        assertEquals(100 * step.window(), step.units());
        String json = BenchRecord.json(
                plan(Benchmark.RATE),
                MACHINE,
                measurement.withProcessor(6_400_000.0 / step.units()),
                HopState.NEAR,
                true);
        assertTrue(json.contains(",\"cpuNs\":1000,\"jdk\":"), json);
    }

    /** Most exchanges are short and a few very long: the mean of a batch lies above nine single ones in ten. */
    @Test
    void noPercentileOfARecordIsBelowTheOneBefore() {
        long[] batches = new long[20];
        java.util.Arrays.fill(batches, 100 * 14_936);
        long[] tails = new long[1000];
        java.util.Arrays.fill(tails, 8_135);
        for (int i = 0; i < 8; i++) {
            tails[i] = 900_000;
        }
        Measurement measurement = Measurement.of("sluice", Benchmark.NEIGHBOR, 8, 1, 61, 61, batches, tails, 100, 1);
        String json = BenchRecord.json(plan(Benchmark.NEIGHBOR), MACHINE, measurement, HopState.NEAR, true);
        assertTrue(json.contains("\"p50\":14936,\"p90\":14936,\"p99\":14936,\"p999\":900095,\"max\":900095,"), json);
    }

    /** Who is among the crowd and who is not must be told by the record alone. */
    @Test
    void aRecordOfACrowdSaysHowManyWaited() {
        assertEquals(List.of("sluice 1000 100", "alone 0 100"), List.of(crowd("sluice"), crowd("alone")));
    }

    private static String crowd(String peer) {
        Measurement measurement = Measurement.of(
                peer, Benchmark.CROWD_ANY_TAG, 8, 3, 61, 63, new long[] {20_000}, new long[] {200}, 100, 1);
        String json = BenchRecord.json(plan(Benchmark.CROWD_ANY_TAG), MACHINE, measurement, HopState.NEAR, true);
        assertTrue(json.startsWith("{\"benchmark\":\"crowd-any-tag\",\"peer\":\"" + peer + "\","), json);
        return peer + " " + json.replaceFirst(".*\"crowd\":(\\d+)}", "$1") + " "
                + json.replaceFirst(".*\"p50\":(\\d+),.*", "$1");
    }

    @Test
    void bandwidthAndRateCountTheMessagesOfTheWindow() {
        long[] windows = {64_000, 64_000};
        assertEquals(
                1000, of(Benchmark.BANDWIDTH, 1000, windows).mean(), 1e-9, "64 times 1000 B in 64 us are 1000 MB/s");
        assertEquals(2000, of(Benchmark.BIBANDWIDTH, 1000, windows).mean(), 1e-9);
        assertEquals(1e6, of(Benchmark.RATE, 8, windows).mean(), 1e-6);
    }

    /** Each of three batches: 1,000 ns of receives, 1,200 of computations, and both. */
    @Test
    void whatIsHiddenIsAShareOfTheShorterPart() {
        long[] parts = {3_500, 1_000, 1_200, 1_300, 4_000, 1_000, 1_200, 2_200, 4_600, 1_000, 1_200, 2_400};
        Measurement measurement = of(Benchmark.OVERLAP, 1 << 20, parts);
        assertEquals(0, measurement.value(), 1e-9, "of 90, 0 and -20 % the one in the middle");
        assertEquals(70.0 / 3, measurement.mean(), 1e-9);
        String json = BenchRecord.json(plan(Benchmark.OVERLAP), MACHINE, measurement, HopState.NEAR, true);
        assertTrue(
                json.contains("\"unit\":\"%\",\"p50\":0,\"p90\":90,\"p99\":90,\"p999\":90,\"max\":90,"
                        + "\"mean\":23.3,\"count\":3,"),
                json);
    }

    /** Nine windows of 1000 MB/s and one of 4000: what other rounds were like is in their own records. */
    @Test
    void aRecordOfABandwidthHasThePercentilesOfItsOwnWindows() {
        long[] windows = new long[10];
        java.util.Arrays.fill(windows, 64_000);
        windows[3] = 16_000;
        String json = BenchRecord.json(
                plan(Benchmark.BANDWIDTH), MACHINE, of(Benchmark.BANDWIDTH, 1000, windows), HopState.NEAR, true);
        assertTrue(
                json.contains("\"unit\":\"MB/s\",\"p50\":1000,\"p90\":4000,\"p99\":4000,\"p999\":4000,\"max\":4000,"
                        + "\"mean\":1081.1,\"count\":10,"),
                json);
    }

    private static Measurement of(Benchmark benchmark, int size, long[] windows) {
        return Measurement.of("limit", benchmark, size, 1, 0, 0, windows, new long[0], 1, 64);
    }
}
