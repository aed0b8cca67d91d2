/**
 * The channel between JVMs of one node: each rank owns one segment, a file in shared memory that its peers map and that
 * has no name any more once all have. Must not: match, choose protocols, or trust what a peer wrote. Called by:
 * {@code hybrid}. Tests: {@code SegmentChannelTest}, {@code SegmentRefusalTest}, {@code SegmentCorruptionTest},
 * {@code SegmentSpaceTest}, {@code SegmentArenaTest}, {@code KernelCopyTest}, {@code SegmentDeathProcessTest}.
 */
package org.sluice.shm.segment;
