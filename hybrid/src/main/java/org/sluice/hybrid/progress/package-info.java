/**
 * Who polls, when to spin, yield, park and sleep. Must not: know packets or protocols. Called by: the device face and
 * the requests (waits); calls {@link org.sluice.hybrid.progress.Duty}. Tests: {@code ProgressEngineTest},
 * {@code SleepTest}.
 */
package org.sluice.hybrid.progress;
