package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** Messages that their receivers read: START of rank 0; the pieces and END of rank 1. */
@Tag("verbs")
final class RendezvousRxeTest extends RendezvousCases {
    RendezvousRxeTest() {
        super("read", 1, "get.chunks", 1, 4 + 1);
    }
}
