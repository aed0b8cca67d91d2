/**
 * N-Queens as tasks that travel between ranks. Must not know of races. Called by {@code cli}; tests:
 * {@code QueensTest}, and {@code BenchProcessTest} of {@code cli}.
 */
package org.sluice.bench.queens;
