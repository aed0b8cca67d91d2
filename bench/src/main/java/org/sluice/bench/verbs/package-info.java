/**
 * {@code ./sluice bench ib-channel}: what the channel over verbs takes for a message by itself, over a library that is
 * simulated. No race, and no adapter. Called by the command line; tests: {@code IbChannelTest}.
 */
package org.sluice.bench.verbs;
