package org.sluice.ib;

import org.junit.jupiter.api.Tag;

/** The channel contract where short packets are written, and found by completions. */
@Tag("verbs")
@Tag("long")
final class WriteImmChannelRxeTest extends LandingChannelCases {
    WriteImmChannelRxeTest() {
        super("write-imm");
    }
}
