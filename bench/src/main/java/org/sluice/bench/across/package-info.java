/**
 * Nodes that are joined without ssh: the same command runs on each, one of them measures, and the others run what that
 * one asks for. Called by {@code bench/cli} and {@code contestant}; tests: {@code NodeShellTest},
 * {@code AcrossNodesTest}, {@code BenchAcrossGuestsTest}.
 */
package org.sluice.bench.across;
