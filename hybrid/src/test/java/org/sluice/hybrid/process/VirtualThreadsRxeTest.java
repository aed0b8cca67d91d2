package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Over verbs, where a wait could have a library's calls beneath it. In guests tests run on the older JDK alone, and
 * start these ranks on the newer.
 */
@Tag("all")
@Tag("verbs-deaths")
final class VirtualThreadsRxeTest extends VirtualThreadCases {
    VirtualThreadsRxeTest() {
        super("ib");
    }

    /**
     * With the second processor that the long tier's guests have: on one, two JVMs with flight recorders need minutes
     * beside other load.
     */
    @Override
    @Test
    @Tag("long")
    void noneIsRecordedThatHeldItsCarrier() throws Exception {
        super.noneIsRecordedThatHeldItsCarrier();
    }
}
