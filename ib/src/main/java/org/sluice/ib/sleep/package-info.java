/**
 * How a rank hears of the adapter's events without polling for them. Must not: take events. Called by:
 * {@code IbChannel}. Tests: {@code SleepRxeTest}.
 */
package org.sluice.ib.sleep;
