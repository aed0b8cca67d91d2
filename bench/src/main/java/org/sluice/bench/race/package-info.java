/**
 * Races contestants: warms them up, then runs them in turn, round by round, with a hop probe between any two steps,
 * until there is enough to compare. Must not start processes itself. Called by {@code bench/cli}; tests:
 * {@code PaceTest}, {@code WarmUpTest}, {@code BenchProcessTest}.
 */
package org.sluice.bench.race;
