package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** Messages that their senders write: START, the pieces and END of rank 0; REPLY of rank 1. */
@Tag("long")
@Tag("verbs")
final class WriteRendezvousRxeTest extends RendezvousCases {
    WriteRendezvousRxeTest() {
        super("write", 0, "put.chunks", 1 + 4 + 1, 1);
    }
}
