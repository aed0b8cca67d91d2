/**
 * What to measure: the benchmarks, their options and sizes, and the step that all ranks of a contestant run at once.
 * Must not start or time anything. Called by {@code bench/cli}, {@code race} and {@code rank}; tests:
 * {@code BenchPlanTest}.
 */
package org.sluice.bench.plan;
