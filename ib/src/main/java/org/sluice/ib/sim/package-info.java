/**
 * Verbs in plain Java: a device that exists in this JVM alone, for tests that want each call to fail once and can't
 * wait for a guest, and for {@code ./sluice bench ib-channel}, which takes the time of its calls off. What it shows
 * about Sluice is how that deals with results; what adapters really do is for the guests to show. No device uses it.
 * Tests: {@code SimulatedVerbsTest}, {@code TimedChannelsTest}.
 */
package org.sluice.ib.sim;
