package org.sluice.hybrid.device

import org.junit.jupiter.api.Tag

/** Coroutines of ranks that are threads of one JVM. */
internal class CoroutineThreadsTest : CoroutineCases {
    override fun options(): Map<String, String> = mapOf()
}

/** Coroutines over shared memory, which is what processes have. */
internal class CoroutineSegmentTest : CoroutineCases {
    override fun options() = mapOf("sluice.channels" to "shm")
}

/** Coroutines where the device's thread makes all the progress. */
internal class CoroutineProgressThreadTest : CoroutineCases {
    override fun options() = mapOf("sluice.progress.threads" to "1")
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
