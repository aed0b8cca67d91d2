/**
 * Bytes over sockets: the tcp channel. Must not: know of shared memory, verbs, matching or the router. Called by:
 * {@code hybrid}. Tests: {@code TcpChannelTest}.
 */
package org.sluice.tcp;
