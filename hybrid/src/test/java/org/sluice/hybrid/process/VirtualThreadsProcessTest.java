package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;

/** Over shared memory; {@code VirtualThreadsTest} has ranks that are threads of one JVM, and as many carriers as there are cores. */
@Tag("conformance")
final class VirtualThreadsProcessTest extends VirtualThreadCases {
    VirtualThreadsProcessTest() {
        super("shm");
    }
}
