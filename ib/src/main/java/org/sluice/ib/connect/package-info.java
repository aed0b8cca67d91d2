/**
 * Connections to peers: made on demand through librdmacm, ended by failure or by close. Must not: look into packets.
 * Called by: {@code IbChannel} and its helper thread. Tests: {@code ConnectRxeTest}.
 */
package org.sluice.ib.connect;
