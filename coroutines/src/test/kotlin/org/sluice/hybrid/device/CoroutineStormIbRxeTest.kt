package org.sluice.hybrid.device

import org.junit.jupiter.api.Tag

/** Random traffic, half of which is of coroutines, over verbs. */
@Tag("all")
@Tag("verbs")
internal class CoroutineStormIbRxeTest : StormCases {
    override fun options() = mapOf("sluice.channels" to "ib")
}
