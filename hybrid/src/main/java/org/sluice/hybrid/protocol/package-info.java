/**
 * What packets mean: eager, rendezvous, persistent routes, messages to handlers; and which channels a round polls
 * ({@link Channels}). Must not: touch a ring, or decide which thread polls, and when (that is {@code progress}). Called
 * by: the device face (posts), channels through {@code ChannelListener} (packets), progress through {@code Duty}.
 * Tests: the device conformance suite, {@code HostilePacketsTest}, {@code ChannelsTest}, {@code HandlerIntakeTest},
 * {@code DirectReceiveTest}, {@code StoredMessagesTest}.
 */
package org.sluice.hybrid.protocol;
