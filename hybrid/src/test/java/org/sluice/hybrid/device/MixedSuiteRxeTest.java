package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** What moves messages, over all three channels; the coroutines' part of it is {@code CoroutineAllChannelsRxeTest}. */
@Tag("verbs")
@Tag("long")
final class MixedSuiteRxeTest extends AllChannels implements WireCases {}
