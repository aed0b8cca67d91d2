package org.sluice.ib;

import org.junit.jupiter.api.Tag;

/** The channel contract where short packets are written into polled memory. */
@Tag("verbs")
@Tag("all")
final class WriteChannelRxeTest extends LandingChannelCases {
    WriteChannelRxeTest() {
        super("write");
    }
}
