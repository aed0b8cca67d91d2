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
    private static final int DEFAULT_TOTAL_BYTES = 16 << 20;
    /** A body is at most a quarter of its ring, so that one fits wherever the ring's end is. */
    private static final int BODIES = 4;

    public RingSize {
        if (Integer.bitCount(cells) != 1 || cells < LEAST_CELLS) {
            throw new IllegalArgumentException(Option.SHM_RING_CELLS.property() + " = " + cells + ": allowed are powers of two from "
                    + LEAST_CELLS + " on, or -1 to choose by the number of local ranks");
        }
        if (Integer.bitCount(payloadBytes) != 1 || payloadBytes < LEAST_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(Option.SHM_RING_BYTES.property() + " = " + payloadBytes
                    + ": allowed are powers of two from " + LEAST_PAYLOAD_BYTES + " on, or -1 to choose by the number of local ranks");
        }
    }

    /** What the options say, else the largest size with which one receiver's rings stay within 16 MB. */
    public static RingSize choose(int peers, Options options) {
        int cells = options.count(Option.SHM_RING_CELLS);
        int payload = options.count(Option.SHM_RING_BYTES);
        int defaultCells = DEFAULT_CELLS;
        int defaultPayload = DEFAULT_PAYLOAD_BYTES;
        while (peers * (long) (defaultCells * RingLayout.CELL_BYTES + defaultPayload) > DEFAULT_TOTAL_BYTES
                && defaultPayload > LEAST_PAYLOAD_BYTES) {
            defaultPayload >>= 1;
            defaultCells = Math.max(LEAST_CELLS, defaultCells >> 1);
        }
        return new RingSize(cells < 0 ? defaultCells : cells, payload < 0 ? defaultPayload : payload);
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
