/**
 * Eager and rendezvous: what packets mean. Must not: touch a ring, or decide who polls. Called by: the device face (posts), channels through
 * {@code ChannelListener} (packets), progress through {@code Duty}. Tests: the device conformance suite,
 * {@code HostilePacketsTest}, {@code DirectReceiveTest}, {@code StoredMessagesTest}.
 */
package org.sluice.hybrid.protocol;
