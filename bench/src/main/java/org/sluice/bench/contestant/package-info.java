/**
 * Starts what is raced, Sluice and its peers, each once, drives its ranks step by step, and leaves nothing behind.
 * Knows which peers there are and what to install. Must not judge results. Called by {@code race} and
 * {@code bench/cli}; tests: {@code ContestantTest} and {@code BenchProcessTest}.
 */
package org.sluice.bench.contestant;
