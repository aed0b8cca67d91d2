/**
 * What a connection over verbs costs in memory, here and, by a straight line, in a job as large as the paper's. Must
 * not know of races. Called by {@code cli}; tests: {@code MemoryReadingTest}, {@code MemoryModelTest},
 * {@code MemoryRxeTest}.
 */
package org.sluice.bench.memory;
