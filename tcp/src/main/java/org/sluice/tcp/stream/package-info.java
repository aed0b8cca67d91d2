/**
 * Packets on a stream of bytes: frames, what is written of them, what is read, and memory that peers fill. Must not:
 * make or end connections. Called by: {@code tcp}. Tests: {@code TcpChannelTest}, {@code HostileTcpTest}.
 */
package org.sluice.tcp.stream;
