/**
 * The channel between ranks that are threads of one JVM, and of a rank to itself. Must not: match, or know of segments.
 * Called by: {@code hybrid}. Tests: {@code ThreadChannelTest}.
 */
package org.sluice.shm.threads;
