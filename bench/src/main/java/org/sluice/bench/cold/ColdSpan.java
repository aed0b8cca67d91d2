package org.sluice.bench.cold;

import java.util.Arrays;
import java.util.List;

/**
 * A size, and how many iterations of a fresh job are timed at it: in batches, of which the first has a figure of its
 * own.
 */
enum ColdSpan {
    SHORT(1, 20, 1000),
    LONG(128 << 10, 15, 200);

    final int bytes;
    final int batches;
    final int batch;

    ColdSpan(int bytes, int batches, int batch) {
        this.bytes = bytes;
        this.batches = batches;
        this.batch = batch;
    }

    static List<Integer> sizes() {
        return Arrays.stream(values()).map(span -> span.bytes).toList();
    }

    int iterations() {
        return batches * batch;
    }
}
