package org.sluice.hybrid.device

import org.junit.jupiter.api.Tag

/** Coroutines of ranks that are threads of one JVM. */
@Tag("conformance")
internal class CoroutineThreadsTest : CoroutineCases {
    override fun options(): Map<String, String> = mapOf()
}

/** Coroutines over shared memory, which is what processes have. */
@Tag("conformance")
internal class CoroutineSegmentTest : CoroutineCases {
    override fun options() = mapOf("sluice.channels" to "shm")
}

/** Coroutines over verbs, within one JVM. */
@Tag("verbs")
internal class CoroutineIbRxeTest : CoroutineCases {
    override fun options() = mapOf("sluice.channels" to "ib")
}

@Tag("verbs")
internal class CoroutineSelectRxeTest : CoroutineSelectTest() {
    override val channels = listOf("ib")
}

/** Random traffic, half of which is of coroutines, between threads of one JVM. */
internal class CoroutineStormThreadsTest : StormCases {
    override fun options(): Map<String, String> = mapOf()
}

/** The same over shared memory. */
internal class CoroutineStormSegmentTest : StormCases {
    override fun options() = mapOf("sluice.channels" to "shm")
}
