/**
 * How two ranks come to one connection: the listening socket, who dials, what both prove, and how a connection ends.
 * Must not: read or write packets. Called by: {@code tcp}. Tests: {@code ConnectTest}, {@code StrangerTest}.
 */
package org.sluice.tcp.connect;
