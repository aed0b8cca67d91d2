/**
 * What the adapter reads and writes: registered memory, send window, receive slots, completions. Must not: know how
 * connections are made. Called by: {@code ib}. Tests: {@code VerbsFaultsRxeTest}, {@code IbChannelRxeTest}.
 */
package org.sluice.ib.queue;
