package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** The rest of the suite over all three channels. */
@Tag("verbs")
@Tag("long")
final class MixedSuiteRxeTest extends AllChannels implements VerbsCases {
}
