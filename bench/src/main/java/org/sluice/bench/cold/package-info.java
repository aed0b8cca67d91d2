/**
 * How long the first messages of a job take, in jobs that are started for just that. Must not know of races, which warm
 * up. Called by {@code cli}; tests: {@code ColdTableTest}, {@code BenchProcessTest}.
 */
package org.sluice.bench.cold;
