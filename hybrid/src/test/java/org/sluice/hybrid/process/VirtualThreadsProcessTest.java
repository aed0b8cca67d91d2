package org.sluice.hybrid.process;

/**
 * Over shared memory; {@code VirtualThreadsTest} has ranks that are threads of one JVM, and as many carriers as there
 * are cores.
 */
final class VirtualThreadsProcessTest extends VirtualThreadCases {
    VirtualThreadsProcessTest() {
        super("shm");
    }
}
