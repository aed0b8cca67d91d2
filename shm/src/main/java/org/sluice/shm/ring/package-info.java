/**
 * The ring that carries packets from one rank to another, over any memory that both can reach, and the doorbell that
 * tells a receiver which of many rings to look at. Must not: know whose memory it is, map files, or wake anybody.
 * Called by: {@code shm.threads} and {@code shm.segment}. Tests: {@code RingTest}, {@code RingCorruptionTest},
 * {@code InboundRingsTest}, and under jcstress {@code RingStress} and {@code DoorbellStress}.
 */
package org.sluice.shm.ring;
