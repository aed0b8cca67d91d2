/**
 * The exchange: wires {@code receive}, {@code rendezvous} and {@code persistent}, hands each packet to the one that it
 * is for, makes the rounds and says which channels they poll ({@link Channels}), and ends it all. Must not: touch a
 * ring, or decide which thread polls, and when (that is {@code progress}). Called by: the device face (posts), channels
 * through {@code ChannelListener} (packets), progress through {@code Duty}. Tests: the device conformance suite,
 * {@code HostilePacketsTest}, {@code ChannelsTest}, and the others here, which drive what is below through an exchange
 * over a channel that they write themselves.
 */
package org.sluice.hybrid.protocol;
