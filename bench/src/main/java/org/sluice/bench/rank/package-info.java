/**
 * What runs inside the ranks that are measured: reads steps from the harness, runs them over an exchange, answers with
 * times. Must not print, and must not know of other contestants. Started by {@code contestant}; tests:
 * {@code StepRunnerTest}, {@code CrowdTest} and {@code BenchProcessTest}.
 */
package org.sluice.bench.rank;
