package org.sluice.bench.breakdown;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.bench.report.Machine;
import org.sluice.launch.JavaHome;

@Tag("once")
final class BreakdownTest {
    @Test
    void whatIsWrittenIsRead() {
        PartReading reading = new PartReading(Part.COPY_OUT, 64, new double[] {1.5, 2, 1e9}, 4, "");
        PartReading read = PartReading.parse(reading.encode()).orElseThrow();
        assertEquals(Part.COPY_OUT, read.part());
        assertEquals(64, read.size());
        assertEquals(4, read.each());
        assertArrayEquals(reading.batches(), read.batches());
        assertEquals(2, read.at(0.5));
        assertEquals(1e9, read.at(1));
        PartReading none = PartReading.none(Part.REGISTRATION, 8, "no adapter\there");
        PartReading without = PartReading.parse(none.encode()).orElseThrow();
        assertFalse(without.isThere());
        assertEquals("no adapter here", without.why());
        assertEquals(Optional.empty(), PartReading.parse("part-reading\tcopy"));
        assertEquals(Optional.empty(), PartReading.parse("anything"));
    }

    /** A copy of 1 MB takes longer than one of 64 bytes, which a clock that is read too seldom would not tell. */
    @Test
    void eachPartIsTimedOrSaysWhyNot() throws Exception {
        StringWriter text = new StringWriter();
        BreakdownBench bench = new BreakdownBench(JavaHome.current(), Machine.here("this"), new PrintWriter(text));
        bench.run(List.of(64, 1 << 20), 2);
        List<String> records = bench.json();
        for (Part part : Part.values()) {
            long found = records.stream()
                    .filter(record -> record.contains("\"part\":\"" + part.label() + "\""))
                    .count();
            boolean isThere = found == (part.isOfSize() ? 2 : 1);
            assertTrue(
                    isThere || part == Part.REGISTRATION && text.toString().contains("not timed: "),
                    part.label() + " in " + text);
        }
        assertTrue(median(records, Part.COPY, 1 << 20) > 10 * median(records, Part.COPY, 64), text::toString);
        assertTrue(median(records, Part.WAKE_UP, 0) > median(records, Part.LOCK, 0), text::toString);
    }

    private static double median(List<String> records, Part part, int size) {
        String record = records.stream()
                .filter(each ->
                        each.contains("\"part\":\"" + part.label() + "\"") && each.contains("\"size\":" + size + ","))
                .findFirst()
                .orElseThrow();
        String from = record.substring(record.indexOf("\"p50\":") + 6);
        return Double.parseDouble(from.substring(0, from.indexOf(',')));
    }
}
