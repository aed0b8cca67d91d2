package org.sluice.shm.ring;

import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * How large one ring is.
 *
 * @param cells packets that it holds; a power of two
 * @param payloadBytes room for the bodies that don't fit into their cell; a power of two
 */
public record RingSize(int cells, int payloadBytes) {
    public static final int LEAST_CELLS = 64;
    public static final int LEAST_PAYLOAD_BYTES = 16 << 10;

    private static final int DEFAULT_CELLS = 512;
    private static final int DEFAULT_PAYLOAD_BYTES = 256 << 10;
    /** Of the rings of one receiver. */
    private static final int DEFAULT_TOTAL_BYTES = 16 << 20;
    /** Twice what a core's second cache usually holds (ADR 0049), where few ranks need it. */
    private static final int LARGE_PAYLOAD_BYTES = 2 << 20;
    /**
     * Of all rings of a node whose payload rings are larger than the default: half of what a container's /dev/shm has.
     */
    private static final int LARGE_TOTAL_BYTES = 32 << 20;
    /** A body is at most a quarter of its ring, so that one fits wherever the ring's end is. */
    private static final int BODIES = 4;

    public RingSize {
        if (Integer.bitCount(cells) != 1 || cells <= RingLayout.RESERVED_CELLS) {
            throw new IllegalArgumentException(
                    "a ring of " + cells + " cells; allowed are powers of two above " + RingLayout.RESERVED_CELLS);
        }
        if (Integer.bitCount(payloadBytes) != 1 || payloadBytes < BODIES * RingLayout.PAYLOAD_ALIGNMENT) {
            throw new IllegalArgumentException("a ring with " + payloadBytes
                    + " bytes of payload; allowed are powers of two from "
                    + BODIES * RingLayout.PAYLOAD_ALIGNMENT + " on");
        }
    }

    /**
     * What the options say, else the largest size with which all rings of the node stay within 32 MB, or, where that
     * would be below 256 KB, one receiver's within 16 MB.
     */
    public static RingSize choose(int peers, Options options) {
        int defaultCells = DEFAULT_CELLS;
        int defaultPayload = LARGE_PAYLOAD_BYTES;
        while ((peers + 1L) * peers * (defaultCells * RingLayout.CELL_BYTES + defaultPayload) > LARGE_TOTAL_BYTES
                && defaultPayload > DEFAULT_PAYLOAD_BYTES) {
            defaultPayload >>= 1;
        }
        while (peers * (long) (defaultCells * RingLayout.CELL_BYTES + defaultPayload) > DEFAULT_TOTAL_BYTES
                && defaultPayload > LEAST_PAYLOAD_BYTES) {
            defaultPayload >>= 1;
            defaultCells = Math.max(LEAST_CELLS, defaultCells >> 1);
        }
        return new RingSize(
                given(options, Option.SHM_RING_CELLS, LEAST_CELLS, defaultCells),
                given(options, Option.SHM_RING_BYTES, LEAST_PAYLOAD_BYTES, defaultPayload));
    }

    private static int given(Options options, Option option, int least, int otherwise) {
        int value = options.count(option);
        if (value < 0) {
            return otherwise;
        }
        if (Integer.bitCount(value) != 1 || value < least) {
            throw new IllegalArgumentException(option.property() + " = " + value + " (" + options.origin(option)
                    + "): allowed are powers of two from " + least
                    + " on, or -1 to choose by the number of local ranks");
        }
        return value;
    }

    /** Control lines, cells and payload ring together; a multiple of {@link RingLayout#RING_ALIGNMENT}. */
    public long bytes() {
        return RingLayout.CELLS + (long) cells * RingLayout.CELL_BYTES + payloadBytes;
    }

    public int bodyLimit() {
        return Math.min(payloadBytes / BODIES, RingLayout.LENGTH_LIMIT);
    }

    long payloadOffset() {
        return RingLayout.CELLS + (long) cells * RingLayout.CELL_BYTES;
    }
}
