/**
 * How far apart the two cores are right now: pins threads, times a cache line going to and fro, and names what it
 * finds. Must not know of contestants. Called by {@code race} and {@code rank}; tests: {@code HopStatesTest},
 * {@code HopProbeTest}.
 */
package org.sluice.bench.hop;
