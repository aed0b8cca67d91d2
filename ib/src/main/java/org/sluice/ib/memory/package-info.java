/**
 * Memory of the program that the adapter may read and write: registered when a message first needs it, kept for the
 * next. Must not: know peers, or post work requests. Called by: {@code ib}. Tests: {@code RegistrationCacheTest},
 * {@code RendezvousRxeTest}.
 */
package org.sluice.ib.memory;
