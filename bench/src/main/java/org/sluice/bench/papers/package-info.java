/**
 * What five papers measured, measured again: figures and the benchmarks behind them as data, the run of all of them,
 * the report that is made from records alone, and the comparison of two runs. Must not measure by itself: each run is a
 * benchmark of its own process. Called by {@code cli}; tests: {@code FiguresTest}, {@code PapersReportTest},
 * {@code PapersRunnerTest}, {@code RunComparisonTest}.
 */
package org.sluice.bench.papers;
