/**
 * The contract between meaning (above) and byte movers (below): what every channel does, the capabilities that only
 * some have, references to a peer's memory, the wait word. Must not: match, or choose protocols. Called by:
 * {@code hybrid}; implemented by {@code shm}, {@code ib} and {@code tcp}. Tests: {@code ChannelConformance},
 * {@code ResultsTest}.
 */
package org.sluice.device.channel;
