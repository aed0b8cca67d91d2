/**
 * Moves bytes between the ranks of one node: threads of one JVM, and JVMs that share segments. Knows nothing of
 * matching or routes. Called through the channel contract; its tests are in {@code shm/src/test}.
 */
package org.sluice.shm;
