/**
 * Where message buffers live: memory inside the owner's segment, which peers copy out of or read in place. Must not:
 * map files or know of peers. Called by: {@code shm.segment}. Tests: {@code FreeRangesTest}, {@code ArenaTest},
 * {@code SegmentArenaTest}.
 */
package org.sluice.shm.arena;
