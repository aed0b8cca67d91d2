package org.sluice.ib;

import org.junit.jupiter.api.Tag;

/** The channel contract where short packets are written into polled memory. */
@Tag("verbs")
@Tag("long")
final class WriteChannelRxeTest extends LandingChannelCases {
    WriteChannelRxeTest() {
        super("write");
    }
}
