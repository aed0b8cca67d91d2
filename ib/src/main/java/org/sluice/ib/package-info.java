/**
 * Bytes over verbs: the ib channel. Must not: know of shared memory, matching or the router. Called by: {@code hybrid}.
 * Tests: {@code IbChannelRxeTest}, in the VM.
 */
package org.sluice.ib;
