/**
 * How long a collection waits for messages that are on their way. Must not know of races. Called by {@code cli}; tests:
 * {@code GcWaitTest}.
 */
package org.sluice.bench.gc;
