package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;
import org.sluice.shm.ring.RingSize;

/** The layout as other processes, and docs/explanation/protocol.md, see it: numbers are written out here on purpose. */
final class SegmentLayoutTest {
    @Test
    void headerAndRingsAreWhereTheDocumentSays() {
        assertEquals(0, SegmentLayout.MAGIC_AT);
        assertEquals(8, SegmentLayout.VERSION_AT);
        assertEquals(12, SegmentLayout.CELLS_AT);
        assertEquals(16, SegmentLayout.PAYLOAD_AT);
        assertEquals(20, SegmentLayout.SLOTS_AT);
        assertEquals(24, SegmentLayout.RANK_AT);
        assertEquals(28, SegmentLayout.JOB_SIZE_AT);
        assertEquals(32, SegmentLayout.NONCE_AT);
        assertEquals(128, SegmentLayout.WAIT_WORD_AT);
        assertEquals(4096, SegmentLayout.EXTENT_COUNT_AT);
        assertEquals(4104, SegmentLayout.EXTENTS_AT);
        assertEquals(255, SegmentLayout.EXTENT_LIMIT);
        assertEquals(8192, SegmentLayout.DOORBELL_AT);
        assertEquals(256, SegmentLayout.COLLECTIONS_AT);
        assertEquals(8, SegmentLayout.PROTOCOL_VERSION);
        assertEquals(0x534c5549434553L, SegmentLayout.MAGIC);
        SegmentLayout one = new SegmentLayout(new RingSize(64, 16384), 1);
        assertEquals(12288, one.ringsAt());
        assertEquals(12288 + 20736 + 3840, one.bytes(), "rounded up to whole pages");
        SegmentLayout many = new SegmentLayout(new RingSize(64, 16384), 513);
        assertEquals(12288, many.ringsAt());
        assertEquals(12288 + 512 * 20736L, many.ringAt(512));
    }

    @Test
    void theDocumentDrawsTheSameOffsets() throws Exception {
        String root = System.getProperty("sluice.root", "..");
        String document = Files.readString(Path.of(root, "docs", "explanation", "protocol.md"));
        String[] rows = {
            "| 0 | magic | 8 |",
            "| 8 | protocol version | 4 |",
            "| 12 | cells of a ring | 4 |",
            "| 16 | payload of a ring | 4 |",
            "| 20 | slots | 4 |",
            "| 24 | rank | 4 |",
            "| 28 | job size | 4 |",
            "| 32 | nonce | 16 |",
            "| 128 | wait word | 8 |",
            "| 256 | collections | 8 |",
            "| 4096 | arena extents | 8 |",
            "| 4104 | extent table | 16 each |",
            "| 8192 | doorbell | 64 each 512 slots |",
            "| 0 | consumed cells | 8 |",
            "| 8 | consumed payload | 8 |",
            "| 128 | watched | 4 |",
            "| 132 | withdrawn | 4 |",
            "| 192 | can read memory | 4 |",
            "| 256 | cells | 64 each |",
            "| 0 | publish word | 8 |",
            "| 8 | context id | 4 |",
            "| 12 | tag | 4 |",
            "| 16 | body | 48 |",
            "| 0 | send id | 8 |",
            "| 8 | length | 8 |",
            "| 16 | reference key | 8 |",
            "| 24 | reference address | 8 |",
            "Protocol version: " + SegmentLayout.PROTOCOL_VERSION + "."
        };
        for (String row : rows) {
            assertTrue(document.contains(row), "docs/explanation/protocol.md has no line \"" + row + "\"");
        }
    }

    @Test
    void factsComeBackAsTheyWent() {
        SegmentFacts facts = new SegmentFacts(
                3,
                "/dev/shm/x",
                1,
                2,
                1000,
                UUID.randomUUID(),
                new SegmentLayout(new RingSize(128, 32768), 2),
                new int[] {1, 5},
                77,
                88,
                -99);
        SegmentFacts back = SegmentFacts.decode(3, facts.encode());
        assertArrayEquals(facts.encode(), back.encode());
        assertEquals(facts.layout(), back.layout());
        assertEquals(1, back.slot(5));
        assertEquals(-1, back.slot(3));
    }

    @Test
    void factsThatAreCutShortAreRefused() {
        byte[] whole = new SegmentFacts(
                        3,
                        "/dev/shm/x",
                        1,
                        2,
                        1000,
                        UUID.randomUUID(),
                        new SegmentLayout(new RingSize(128, 32768), 2),
                        new int[] {1, 5},
                        77,
                        88,
                        -99)
                .encode();
        for (int bytes = 0; bytes < whole.length; bytes++) {
            byte[] part = java.util.Arrays.copyOf(whole, bytes);
            assertEquals(
                    3,
                    assertThrows(SluiceException.class, () -> SegmentFacts.decode(3, part))
                            .peer());
        }
    }
}
