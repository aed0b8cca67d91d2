/**
 * What the parts of a message's way cost on this machine, each by itself. Must not know of races. Called by
 * {@code cli}; tests: {@code BreakdownTest}.
 */
package org.sluice.bench.breakdown;
