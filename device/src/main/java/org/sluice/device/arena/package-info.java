/**
 * Where message buffers live: large stretches of memory that are kept, out of which ranges are handed out. Peers of the
 * node copy out of them or read in place, an adapter has each registered as a whole. Must not: map files, register
 * memory or know of peers. Called by: {@code shm.segment}, {@code ib.memory}. Tests: {@code FreeRangesTest},
 * {@code ArenaTest}, {@code SegmentArenaTest}.
 */
package org.sluice.device.arena;
