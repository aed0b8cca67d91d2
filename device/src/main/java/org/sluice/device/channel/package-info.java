/**
 * The contract between meaning (above) and byte movers (below): packets, references to a peer's memory, the wait word.
 * Must not: match, or choose protocols. Called by: {@code hybrid}; implemented by {@code shm} and {@code ib}. Tests:
 * {@code ChannelConformance}.
 */
package org.sluice.device.channel;
