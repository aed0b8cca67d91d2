package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;

/**
 * Over verbs, where a wait could have a library's calls beneath it. In guests tests run on the older JDK alone, and
 * start these ranks on the newer. Long, as two JVMs with flight recorders need minutes on one emulated processor.
 */
@Tag("long")
@Tag("verbs-deaths")
final class VirtualThreadsRxeTest extends VirtualThreadCases {
    VirtualThreadsRxeTest() {
        super("ib");
    }
}
