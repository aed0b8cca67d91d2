/**
 * Lines of text over a loopback socket between the harness and the ranks of a contestant, ours and the C peers alike.
 * Must not know what the lines mean. Called by {@code contestant} and {@code rank}; tests: {@code LineSocketTest}.
 */
package org.sluice.bench.wire;
