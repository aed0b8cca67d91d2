package org.sluice.bench.cold;

import java.util.Arrays;

/**
 * What one fresh job took.
 *
 * @param number of the start, from 1
 * @param batchNs nanoseconds of each batch of the span, the first of them first
 */
record ColdStart(String peer, ColdSpan span, int number, long[] batchNs) {
    long firstNs() {
        return batchNs[0];
    }

    long allNs() {
        return Arrays.stream(batchNs).sum();
    }
}
