/**
 * What comes out: records as JSON lines, comparisons within one hop state, the table. Must not measure. Called by
 * {@code race} and {@code bench/cli}; tests: {@code BenchRecordTest}, {@code ComparisonTest}, {@code HtmlReportTest}.
 */
package org.sluice.bench.report;
