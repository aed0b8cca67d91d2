package org.sluice.hybrid.device

import org.junit.jupiter.api.Tag

// By themselves: which modules a tier asks for a tag is judged by the file.

/** Coroutines of two ranks over shared memory, the second of which has a third beside it as a thread. */
@Tag("once")
@Tag("all")
internal class CoroutineMixedTest : CoroutineCases {
    override fun options(): Map<String, String> = mapOf()

    override fun whereabouts() = Whereabouts({ rank -> (rank + 1) / 2 }, { 0 })

    override fun open(size: Int, vararg more: String): DeviceJob = super.open(if (size == 2) 3 else size, *more)
}

/** Coroutines where the device's thread makes all the progress. */
@Tag("all")
internal class CoroutineProgressThreadTest : CoroutineCases {
    override fun options() = mapOf("sluice.progress.threads" to "1")
}
